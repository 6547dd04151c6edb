"""What vulture takes for unused and is used: by click, by msgspec, by pytest, by other people's plugins."""

# Fields of named tuples, which are printed as JSON.
_.f1
_.one_way
_.consistency
_.one_way_mean
_.agreement_mean
_.consistency_mean
_.candidate_first
_.reference_first
_.first_share
_.always_first
_.always_second
_.weighted_accuracy
_.linear_kappa
_.quadratic_kappa
_.high_f2
_.fraction
_.judge_human
_.judge_majority
_.human_human
_.rank_correlation
_.per_cost

# Hooks and options of the pytest plugin.
_.pytest_addoption
_.pytest_collection_modifyitems
_.runtest
_.reportinfo
