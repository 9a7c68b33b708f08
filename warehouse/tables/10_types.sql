-- Schemas, and the one type that every figure must carry.
CREATE SCHEMA registry;
CREATE SCHEMA evidence;
CREATE SCHEMA facts;
CREATE SCHEMA marts;
CREATE SCHEMA meta;

-- Declared strongest first, so that ORDER BY evidence puts the strongest on top.
CREATE TYPE evidence_tag AS ENUM (
    'audited', 'measured', 'operator', 'vendor', 'observed', 'reported', 'estimated', 'derived', 'illustrative', 'unverified'
);
