-- The schemas. The type of evidence tags is made from the registry of tags before any SQL runs.
CREATE SCHEMA registry;
CREATE SCHEMA evidence;
CREATE SCHEMA facts;
CREATE SCHEMA marts;
CREATE SCHEMA meta;
