"""Modules that put this library behind the interfaces of others. Each imports the package that it is for."""
