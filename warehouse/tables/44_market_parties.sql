-- Kinds of sellers of accelerator hours, and the organisations behind numbers at the SEC.
CREATE TABLE registry.provider_classes AS FROM registry_provider_classes ORDER BY organisation_id;
CREATE TABLE registry.filers AS FROM registry_filers ORDER BY cik;

-- How each capture of a market table was read: rows kept, rows of owners who forbid collection, fields nobody read.
CREATE TABLE evidence.market_captures AS FROM lake_market_captures ORDER BY captured_at, capture_id;
