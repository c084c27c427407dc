"""What engines take beyond the protocols is in the name too, but for what is on the reviewed list."""

import pytest

from apps.serving.subtracted import SUBTRACTED, WireProtocol, request_name
from tests.unit.serving.wire_schemas import SCHEMAS, top_fields

CHAT = {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "temperature": 0}
# Names in the engines' own request types, by what they change.
SAMPLING = """top_k min_p top_a tfs_z typical_p repetition_penalty repeat_penalty repeat_last_n length_penalty
no_repeat_ngram_size dynatemp_range mirostat mirostat_tau dry_multiplier xtc_probability samplers min_tokens
ignore_eos stop_token_ids no_stop_trim stop_regex include_stop_str_in_output allowed_token_ids bad_words
use_beam_search best_of sampling_seed custom_logit_processor custom_params logits_processors n_predict n_keep
thinking_budget thinking_token_budget vllm_xargs"""
SHAPE = """regex ebnf grammar json_schema structural_tag structured_outputs guided_json guided_regex guided_choice
guided_grammar guided_decoding_backend guided_whitespace_pattern echo skip_special_tokens spaces_between_special_tokens
prompt_logprobs return_tokens_as_token_ids return_token_ids return_hidden_states return_meta_info
return_cached_tokens_details timings_per_token n_probs post_sampling_probs parse_tool_calls"""
PROMPT = """chat_template chat_template_kwargs add_generation_prompt continue_final_message
continue_final_message_prefix add_special_tokens documents enable_thinking reasoning_format separate_reasoning
stream_reasoning include_reasoning truncate_prompt_tokens mm_processor_kwargs media_io_kwargs input_ids prompt_embeds"""
PLACE = """lora_path lora lora_adapter data_parallel_rank kv_transfer_params bootstrap_host bootstrap_room cache_salt
extra_key session_params id_slot cache_prompt speculative thinking models provider route transforms"""
FIELDS = f"{SAMPLING} {SHAPE} {PROMPT} {PLACE}".split()
LISTED_FOR_ENGINES = {"rid", "request_id", "priority", "return_progress"}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("protocol", WireProtocol)
def test_an_engines_own_field_is_part_of_the_name(protocol, field):
    values = ("absent", None, False, True, 0, 2, 0.5, "x", [], ["x"], {}, {"x": 1})
    asked = [CHAT if value == "absent" else CHAT | {field: value} for value in values]
    assert len({request_name("t", "f", protocol, body) for body in asked}) == len(values)


@pytest.mark.parametrize("protocol", WireProtocol)
def test_the_list_holds_no_field_that_nobody_sends(protocol):
    known = {field for of, kind in SCHEMAS.values() if of is protocol for field in top_fields(kind)}
    assert set(SUBTRACTED[protocol]) - known - LISTED_FOR_ENGINES == set()
