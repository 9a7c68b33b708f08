-- What a figure of a machine is counted by, and what kind of power a claim speaks of; for marts of density and sheets.

CREATE MACRO per_of(qualifiers, kind) AS coalesce(nullif(per_word(stated(qualifiers, 'per')), 'system'), kind);

-- A limit says what a supply, a cooling loop or a bus bar can bear, or only 'up to'; it is no draw and no value.
CREATE MACRO is_said_limit(c) AS coalesce(c.qualifiers['basis'], '') = 'design limit' OR coalesce(c.qualifiers['bound'], '') IN ('max', 'min');

CREATE MACRO power_basis(c) AS CASE
    WHEN is_said_limit(c) THEN 'limit'
    WHEN c.qualifiers['basis'] = 'max' THEN 'maximum'
    WHEN stated(c.qualifiers, 'basis') IS NOT NULL THEN c.qualifiers['basis']
    WHEN c.modality = 'measured' OR c.evidence IN ('measured', 'audited') THEN 'measured'
    ELSE 'unstated'
END;

-- Which draw speaks for a machine where several are known: what it is built for before what it takes at times.
CREATE MACRO basis_order(basis) AS coalesce(list_position(['maximum', 'rated', 'unstated', 'measured', 'typical', 'estimated'], basis), 9);

CREATE MACRO part_word(part) AS CASE
    WHEN part IN ('server', 'node', 'system') THEN 'server' WHEN part IN ('rack', 'cabinet') THEN 'rack' ELSE part END;

CREATE MACRO cooling_word(words) AS CASE
    WHEN words IS NULL THEN NULL
    WHEN regexp_matches(lower(words), 'hybrid|air.*liquid|liquid.*air') THEN 'hybrid'
    WHEN regexp_matches(lower(words), 'liquid|water|immersion|cold plate|coolant') THEN 'liquid'
    WHEN regexp_matches(lower(words), '\bair') THEN 'air' END;

CREATE MACRO system_class(kind, accelerators) AS CASE
    WHEN kind = 'rack' THEN 'rack-scale' WHEN kind IN ('node', 'board') AND accelerators = 8 THEN '8-way server'
    WHEN kind IN ('node', 'board') THEN 'other server' ELSE kind END;

-- The classes that a machine counts in for a trend; one of eight accelerators that air cools counts in two.
CREATE MACRO trend_classes(kind, accelerators, cooling) AS list_filter([
    CASE WHEN kind = 'rack' THEN 'rack-scale' END,
    CASE WHEN kind IN ('node', 'board') AND accelerators = 8 THEN '8-way server' END,
    CASE WHEN kind IN ('node', 'board') AND cooling = 'air' THEN 'air-cooled server' END
], lambda c: c IS NOT NULL);
