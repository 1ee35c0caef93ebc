"""Names in C sources, as far as this library's style needs: which a file defines at file scope, and renaming them."""
import re

TOKEN = re.compile(r'''
    (?P<comment>/\*.*?\*/|//[^\n]*)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<space>(?:\s|\\\n)+)
  | (?P<mark>->|\#\#|.)''', re.S | re.X)
DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n\\]|\\.)*', re.M | re.S)
DEFINE = re.compile(r'^[ \t]*#define[ \t]+(\w+)(?:\(([^)]*)\))?', re.M)
CLOSING = {'(': ')', '[': ']', '{': '}'}


def tokens(text):
    return [(match.lastgroup, match[0]) for match in TOKEN.finditer(text)]


def identifiers(text):
    return {token for kind, token in tokens(text) if kind == 'name'}


def defined_macros(text):
    return {match[1] for match in DEFINE.finditer(text)}


def group_end(words, start):
    """The place behind the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(words)):
        if words[i] in CLOSING:
            depth += 1
        elif words[i] in CLOSING.values():
            depth -= 1
            if depth == 0:
                return i + 1
    raise ValueError('a bracket is not closed: ' + ' '.join(words[start:start + 20]))


def without_calls(words, names):
    """Without name(...) for the given names: attributes, and types in brackets."""
    out, i = [], 0
    while i < len(words):
        if words[i] in names and words[i + 1:i + 2] == ['(']:
            i = group_end(words, i + 1)
        else:
            out.append(words[i])
            i += 1
    return out


def is_name(word):
    return re.fullmatch(r'[A-Za-z_]\w*', word) is not None


def declarators(words):
    """The names that a declaration of variables or a typedef declares."""
    names, i, last, assigned = [], 0, None, False
    for word in words + [',']:
        if i > 0 or word in CLOSING:
            i += (word in CLOSING) - (word in CLOSING.values())
            continue
        if word == ',':
            names, last, assigned = names + [last], None, False
        elif word == '=':
            assigned = True
        elif is_name(word) and not assigned:
            last = word
    return [name for name in names if name]


def names_of_statement(words, static_words):
    """Names that one statement at file scope defines for its file alone: not those of functions for other files."""
    names = []
    for i, word in enumerate(words):
        if word in ('struct', 'union', 'enum'):
            at = i + 1
            if words[at:at + 1] and is_name(words[at]):
                if words[at + 1:at + 2] == ['{']:
                    names.append(words[at])
                at += 1
            if word == 'enum' and words[at:at + 1] == ['{']:
                body = words[at + 1:group_end(words, at) - 1]
                names += declarators(body)
    if not words or words[0] == 'extern':
        return names
    is_type = words[0] == 'typedef'
    if is_type or static_words.intersection(words[:3]):
        words = without_calls(words, {'__attribute__', '_Atomic'})
        head = words[:words.index('=')] if '=' in words else words
        flat = [i for i, word in enumerate(head) if word == '(' and not any(
            head[j] in '{[' and group_end(words, j) > i for j in range(i))]
        if flat and is_name(words[flat[0] - 1]):
            names.append(words[flat[0] - 1])               # a function, or the type of one
        elif flat and words[flat[0] + 1] == '*':
            names.append(next(word for word in words[flat[0] + 1:] if is_name(word) and word != 'const'))
        else:
            names += declarators(words)
    return names


def names_of_call(macro, arguments, text):
    """Names that a macro of the text makes functions of when it is called at file scope with these arguments."""
    define = re.search(rf'^#define {macro}\(([^)]*)\)((?:[^\n\\]|\\.)*)', text, re.M | re.S)
    if not define:
        return []
    values = dict(zip(re.findall(r'\w+', define[1]), (word for word in arguments if word != ',')))
    made = re.findall(r'\bstatic [\w *]*?(?<!##)(\w+)\(', define[2])
    return [values[name] for name in made if name in values]


def file_scope_names(text):
    static_words = {'static'} | set(re.findall(r'^#define (\w+)\s+static\b', text, re.M))
    plain = re.sub(r'/\*.*?\*/', ' ', text, flags=re.S)
    words = [token for kind, token in tokens(DIRECTIVE.sub('', plain)) if kind != 'space']
    names, statement, i = set(), [], 0
    while i < len(words):
        word = words[i]
        if not statement and (word.isupper() or word == '_Static_assert') and words[i + 1] == '(':
            end = group_end(words, i + 1)
            names.update(names_of_call(word, words[i + 2:end - 1], text))
            i = end
        elif word == ';':
            names.update(names_of_statement(statement, static_words))
            statement, i = [], i + 1
        elif word in CLOSING:
            end = group_end(words, i)
            is_body = word == '{' and statement and (statement[-1] == ')' and '=' not in statement)
            statement, i = statement + words[i:end], end
            if is_body:
                names.update(names_of_statement(statement, static_words))
                statement = []
        else:
            statement, i = statement + [word], i + 1
    return names


def rename(text, fresh):
    """The text with names replaced by those of the dict, but for members of structs, macros' parameters, and names that
    ## pastes."""
    parts = tokens(text)
    spaces = ('space', 'comment')
    real = [i for i, (kind, _) in enumerate(parts) if kind not in spaces]
    braces, out, parameters, define_end = [], [token for _, token in parts], set(), -1
    place = 0
    for n, i in enumerate(real):
        kind, token = parts[i]
        before = parts[real[n - 1]][1] if n > 0 else ''
        after = parts[real[n + 1]][1] if n + 1 < len(real) else ''
        place += sum(len(parts[j][1]) for j in range(real[n - 1] if n > 0 else 0, i))
        if token == '#':
            define = DEFINE.match(text, text.rfind('\n', 0, place) + 1)
            if define:
                parameters = set(re.findall(r'\w+', define[2] or ''))
                define_end = DIRECTIVE.match(text, define.start()).end()
        if place >= define_end:
            parameters = set()
        if token == '{':
            behind = [parts[j][1] for j in real[max(0, n - 2):n]]
            braces.append(bool(behind) and (behind[-1] in ('struct', 'union') or behind[0] in ('struct', 'union')))
        elif token == '}' and braces:
            braces.pop()
        if kind != 'name' or token not in fresh or token in parameters:
            continue
        is_member = before in ('.', '->') or (braces and braces[-1] and after in (',', ';', '[', ':', ')'))
        if not is_member and '##' not in (before, after):
            out[i] = fresh[token]
    return ''.join(out)
