-- Question: what does which filing say a company earned or spent in which period?
-- Grain: one row is one figure for one period as one filing states it.
-- Selection: every figure in US dollars of every capture, each once. A capture that was parsed replaces its committed rows.
CREATE TABLE facts.filing_statements AS
WITH captured AS (
    SELECT * FROM lake_filings
    UNION ALL BY NAME
    SELECT * FROM committed_filings ANTI JOIN (SELECT DISTINCT payload_sha256 FROM lake_filings) USING (payload_sha256)
)
SELECT
    f.organisation_id,
    c.company_raw, c.cik, c.metric, c.concept, c.segment, c.period_start, c.period_end,
    (c.period_end - c.period_start + 1)::INTEGER AS period_days,
    c.value AS value_usd,
    c.form, c.accession, c.fiscal_year, c.fiscal_period, c.caveats,
    c.evidence::evidence_tag AS evidence,
    c.source_id,
    c.filing_url AS url,
    c.stated_on, c.stated_on_basis, c.capture_id
FROM captured AS c
LEFT JOIN registry.filers AS f USING (cik)
WHERE c.currency = 'USD'
QUALIFY row_number() OVER (
    PARTITION BY c.cik, c.concept, c.segment, c.period_start, c.period_end, c.accession, c.stated_on
    ORDER BY c.captured_at DESC, c.capture_id
) = 1
ORDER BY cik, metric, segment, period_end, period_start, stated_on, concept, accession;
