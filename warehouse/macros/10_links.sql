-- The very file or folder on GitHub, at the commit that was read. The path is percent-encoded, slashes kept.
CREATE MACRO github_url(repository, revision, path) AS
    'https://github.com/' || repository || '/tree/' || revision || '/' || replace(url_encode(path), '%2F', '/');
