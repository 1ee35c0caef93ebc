/* status.c: texts of status codes, version of the library. */
#include "simdp/simdp.h"
#include "vec/float_rules.h"

#define TEXT_OF(x)       #x
#define VERSION(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

const char *simdp_version(void) { return VERSION(SIMDP_VERSION_MAJOR, SIMDP_VERSION_MINOR, SIMDP_VERSION_PATCH); }

const char *simdp_status_text(simdp_status status)
{
    switch (status) {
    case SIMDP_OK: return "success";
    case SIMDP_ENULL: return "a pointer was NULL where elements were asked for";
    case SIMDP_EPARAM: return "a parameter lies outside its documented range";
    case SIMDP_EISA: return "the instruction set asked for is unknown or not on this CPU";
    case SIMDP_EENTROPY: return "the operating system gave no entropy";
    case SIMDP_ESOURCE: return "the external source of random words failed";
    case SIMDP_ENOMEMORY: return "there is no memory for the work";
    case SIMDP_ECANCELLED: return "the caller's progress function asked to stop";
    }
    return "unknown status";
}
