-- Fewer observations of a layer than this carry no statement about it.
CREATE MACRO thin_below() AS 5;
CREATE MACRO is_thin_layer(observations) AS observations < thin_below();

-- Coded warnings, with 'thin' among them where it is.
CREATE MACRO with_thin(caveats, is_thin) AS list_sort(caveats || CASE WHEN is_thin THEN ['thin'] ELSE [] END);
