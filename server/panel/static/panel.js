// Pages work without this file.
