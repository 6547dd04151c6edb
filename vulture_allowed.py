"""What vulture takes for unused and is used: by click, by msgspec, by pytest, by other people's plugins."""

# Fields of named tuples, which are printed as JSON.
_.f1
# Of a member of a tar archive.
_.linkname
# A tool of the MCP server of the tests.
_.companies
_.one_way
_.consistency
_.one_way_mean
_.agreement_mean
_.consistency_mean
_.candidate_first
_.group_kind
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

# Asked for by Python: the names of a module that are imported when they are used.
_.__getattr__
_.__dir__

# Public functions for notebooks and plugins.
_.mark
# Called by html.parser.
_.handle_starttag
_.handle_endtag
_.handle_data

# Read by the report's templates.
_.reference_score

# Read by the page of a person.
_.reminder

# Compared or shown by name, or kept in files for other readers.
_.law_fingerprint
_.prompts_fingerprint
_.detail
_.citation_validity
_.quote_fidelity
_.HUMAN
_.fitted_on
_.text_factory

# Factories that entry points name.
_.agenda
_.llm

# Called by http.server.
_.do_POST
_.log_message

# Readers that are entry points.
_.read_llmbar
_.read_pandalm
_.read_alpaca_eval
# Methods that http.server and urllib call by name, and what they read.
_.do_GET
_.close_connection
_.redirect_request
_.log_message

# Set on a connection; asked for by pytest.
_.autocommit
pytestmark
hub
# Hooks and options of the pytest plugin.
_.pytest_addoption
_.pytest_collection_modifyitems
_.runtest
_.reportinfo

# Fields of records on questions and their evidence.
_.holds
_.with_reference
_.with_evidence
_.extends

# Asked for by psycopg; the last column of what a query returns.
_.itersize
# What pages of the web app depend on, and what their templates show.
Rater
Anybody
_.created
_.revoked
_.law_of
folder_of
results_of
# Asked for by psycopg; the last column of what a query returns.
_.itersize

# Fields of a questionnaire that the templates of its pages show.
_.introduction
_.scenario_question

# The app of one of several processes, which the server finds by its name.
_.app_of_worker

# Set on elements that python-docx writes.
_.space_after
_.space_before
_.first_line_indent
_.rgb
_.val
_.base_style

# What DeepEval asks of a model and of a metric.
_.load_model
_.is_successful

# Made by their entry points.
_.Lexical
_.TermFrequency

# Read by inspect.signature, and so by help().
_.__signature__

# What Jinja asks of a place for the code of templates.
_.load_bytecode
_.dump_bytecode
# What the templates of a new run, and of one that is under way, ask for.
_.field_of
_.head_of
_.seconds_left
_.week

# What DeepEval reads of a metric.
_.async_mode
_.include_reason
_.evaluation_model

# Scoring rules of public sets, named by entry points.
_.LAWBENCH
_.LEXEVAL
_.LEXAM
_.LEGALBENCH
_.CUAD
_.LEGALBENCH_RAG
_.ACORD
_.COLIEE
_.AILA
_.PLAWBENCH
_.J1_EVAL
# What an object is told to be from then on.
_.__class__
# What a template asks.
_.has_marks
_.may_go_back
_.error_kind
# Compared with its neighbours, not by name.
_.handed_on
# Of tokenizers and of sessions of onnxruntime.
_.pre_tokenizer
_.post_processor
_.log_severity_level
