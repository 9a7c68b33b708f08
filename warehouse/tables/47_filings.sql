-- Question: what do large buyers spend and makers earn, quarter by quarter, according to their filings?
-- Grain: one row is one company, metric, segment and fiscal quarter or year, as last stated.
-- Selection: of several concepts for one period the one with the lowest rank; of several filings the latest, with the
-- first statement beside it. A quarter that no filing states by itself is the difference of two year-to-date figures
-- with the same start, tagged derived.
-- One value a period: the last statement, of the best concept. Fiscal quarters have 12 to 14 weeks, years 52 or 53.
CREATE TEMP TABLE filing_periods AS
SELECT
    s.*,
    first_value(value_usd) OVER statements AS first_value_usd,
    min(stated_on) OVER (PARTITION BY cik, metric, segment, concept, period_start, period_end) AS first_stated_on,
    count(*) OVER (PARTITION BY cik, metric, segment, concept, period_start, period_end)::INTEGER AS n_statements
FROM facts.filing_statements AS s
WINDOW statements AS (
    PARTITION BY cik, metric, segment, concept, period_start, period_end ORDER BY stated_on, accession
    ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
)
QUALIFY row_number() OVER (
    PARTITION BY cik, metric, segment, period_start, period_end
    ORDER BY CASE concept
        WHEN 'us-gaap:PaymentsToAcquirePropertyPlantAndEquipment' THEN 1
        WHEN 'us-gaap:PaymentsToAcquireProductiveAssets' THEN 2
        WHEN 'us-gaap:Revenues' THEN 1
        WHEN 'us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax' THEN 2
        WHEN 'us-gaap:RevenueFromContractWithCustomerIncludingAssessedTax' THEN 3
        WHEN 'us-gaap:SalesRevenueNet' THEN 4
        ELSE 5
    END, stated_on DESC, accession DESC
) = 1;

CREATE TEMP TABLE filing_quarters AS
SELECT
    a.organisation_id, a.company_raw, a.cik, a.metric, a.segment,
    b.period_end + 1 AS period_start,
    a.period_end,
    a.value_usd - b.value_usd AS value_usd,
    a.first_value_usd - b.first_value_usd AS first_value_usd,
    a.concept,
    a.period_start || '..' || a.period_end || ' less ' || b.period_start || '..' || b.period_end AS formula,
    least(a.n_statements, b.n_statements) AS n_statements,
    a.form, a.accession, list_distinct(a.caveats || b.caveats) AS caveats,
    'derived'::evidence_tag AS evidence,
    a.source_id, a.url,
    greatest(a.stated_on, b.stated_on) AS stated_on,
    a.stated_on_basis,
    greatest(a.first_stated_on, b.first_stated_on) AS first_stated_on
FROM filing_periods AS a
JOIN filing_periods AS b
  ON b.cik = a.cik AND b.metric = a.metric AND b.segment = a.segment AND b.concept = a.concept
 AND b.period_start = a.period_start AND date_diff('day', b.period_end, a.period_end) BETWEEN 80 AND 100
WHERE a.period_days > 100;

CREATE TABLE facts.filings AS
WITH stated AS (
    SELECT * EXCLUDE (period_days, fiscal_year, fiscal_period, capture_id),
           CASE WHEN period_days <= 100 THEN 'quarter' ELSE 'year' END AS period, '' AS formula
    FROM filing_periods
    WHERE period_days BETWEEN 80 AND 100 OR period_days BETWEEN 350 AND 380
),
derived AS (
    SELECT *, 'quarter' AS period FROM filing_quarters
    ANTI JOIN (SELECT * FROM stated WHERE period = 'quarter') USING (cik, metric, segment, period_end)
)
SELECT
    *,
    value_usd <> first_value_usd AS is_restated,
    -- the calendar quarter that holds most of the period: the one of its middle day
    strftime(period_end - ((period_end - period_start) // 2)::INTEGER, '%Y-Q')
        || quarter(period_end - ((period_end - period_start) // 2)::INTEGER) AS calendar_quarter
FROM (FROM stated UNION ALL BY NAME FROM derived)
ORDER BY cik, metric, segment, period_end, period;

DROP TABLE filing_quarters;
DROP TABLE filing_periods;
