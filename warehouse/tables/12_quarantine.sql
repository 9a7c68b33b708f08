-- Question: what was set aside and published nowhere else, and why?
-- Grain: one row is one claim, row, document, capture or source that failed one check.
-- Selection: rows come in as each table is made and checked (warehouse/quarantine.py); decisions of a person are kept.
CREATE TABLE evidence.quarantine (
    quarantine_id VARCHAR, kind VARCHAR, state VARCHAR, "table" VARCHAR, row_key VARCHAR, "check" VARCHAR, is_waivable BOOLEAN,
    reason VARCHAR, source_id VARCHAR, url VARCHAR, capture_id VARCHAR, document_id VARCHAR, locator VARCHAR, row_json VARCHAR,
    rows INTEGER, first_seen TIMESTAMP, decided VARCHAR
);
