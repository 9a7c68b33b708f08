"""What all calculators are made of: typed inputs and answers, the engine, quantities with units, shapes of models."""
