/**
 * Settings that earlier versions had, by section: the words of the keys, and what happens now, as the end of a sentence. A file
 * that still has one opens as before, with a note. Most were numbers that no home can tune, because nobody sees their effect
 * without measuring over thousands of questions.
 */
const REMOVED: readonly (readonly [section: string, words: string, now: string])[] = [
  ['git', 'batch_interval_minutes', 'with `git.cadence: batch` there is a commit every 30 minutes'],
  ['git', 'auto_push', 'the `push` job runs as soon as a remote is set; `scheduler.push: null` switches it off'],
  ['git', 'auto_tag_daily', '`scheduler.tags: null` switches the tags off'],
  ['git', 'encryption_key_env', 'the key is read from MNEME_ENCRYPTION_KEY'],
  ['git', 'explore_keep_days', 'unmerged explorations are pruned after 7 days'],
  ['limits', 'max_message_bytes', 'a message may have 1 MiB'],
  ['limits', 'max_item_bytes', 'a memory may have 64 KiB'],
  ['limits', 'max_changes', 'one group changes up to 1,000 files'],
  ['limits', 'max_path_chars', 'a new path may have 240 characters'],
  ['limits', 'max_blocks roll_file_bytes', 'it never had an effect'],
  ['writes', 'strategy', 'a memory is written at once, unless a call names another strategy'],
  [
    'writes',
    'batch_size batch_interval_seconds deferred_idle_seconds conditional_min_importance immediate_min_importance',
    'the strategies have fixed limits',
  ],
  ['capture', 'idle_hours', 'a session counts as ended after 6 quiet hours'],
  ['capture', 'tool_result_max_chars', 'it never had an effect'],
  ['extract', 'min_confidence', 'candidates of low certainty are dropped'],
  ['graph', 'max_depth max_neighbours', 'two steps and 50 relations of an entity are followed'],
  ['graph', 'duplicate_similarity merge_similarity', 'it never had an effect'],
  ['procedures', 'step_timeout_seconds', 'a step that names no `timeout` has five minutes'],
  ['procedures', 'max_at_once', 'four procedures run at a time'],
  ['procedures', 'learn_min_repeats', 'the same steps have to go well in three conversations'],
  ['procedures', 'refine_min_runs', 'five runs are looked at before a change is proposed'],
  ['patterns', 'min_occurrences min_confidence fact_min_confidence', 'it never had an effect'],
  ['index', 'path', 'the index is in state/index.db'],
  ['chunking', 'max_tokens overlap_tokens respect_headings', 'texts are cut at 400 tokens, of which 80 are repeated'],
  ['embedding', 'batch_size max_retries timeout_ms cache_entries', 'it is fixed'],
  ['embedding.gemini', 'api_key_env', 'the key is read from GEMINI_API_KEY'],
  [
    'embedding.onnx',
    'download_if_missing',
    'a model that is named and not on the disk is fetched; name a folder instead',
  ],
  ['search', 'hybrid', '`embedding.provider: none` searches by words alone'],
  ['search', 'snippet_max_chars', 'a snippet has up to 700 characters'],
  [
    'search',
    'fusion rrf_k recency_half_life_days decay_influence diversity neighbour_turns expand_query',
    'the order of hits is as measured best',
  ],
  ['search.weights', 'semantic lexical temporal importance access', 'the order of hits is as measured best'],
  ['search.windows', 'passages_1 passages_3 passages_6 passages_12', 'the order of hits is as measured best'],
  ['search.vectors', 'passage neighbourhood sentence_model', 'the order of hits is as measured best'],
  ['search.boosts', 'speaker phrase entity procedure', 'the order of hits is as measured best'],
  ['search.episodic_weights', 'similarity importance recency', 'it never had an effect'],
  ['reasoner', 'max_repairs', 'an answer that does not fit is sent back once'],
  ['reasoner', 'cache_days', 'an answer to the same question is reused for 30 days'],
  ['reasoner.models', 'verify expand_query commit_message slug', 'no model is asked for it'],
  ['watchers', 'watch_input watch_output', '`watchers.enabled` switches both off'],
  ['watchers', 'max_active', 'up to five topics are shown'],
  ['watchers', 'stay_turns stay_minutes rest_turns', 'a topic stays for 2 messages and 2 hours at most'],
  ['gate', 'enabled', '`reasoner.purpose_daily_max_usd: {gate: 0}` keeps the question from a paid model'],
  ['gate', 'max_tokens temperature', 'it never had an effect'],
  ['gate', 'timeout_ms cache_entries', 'it is fixed'],
  ['gate.bypass', 'medium_min_score low_min_score', 'it is fixed; a topic can set `similarity_threshold`'],
  ['context', 'model', 'tokens are estimated with a margin, unless a call names a model'],
  ['context', 'response_tokens', 'a call says what to keep free for the answer'],
  ['context', 'recent_memories', 'the latest 50 memories are looked at'],
  ['context', 'working_memory_tokens', 'working memory has 4,000 tokens, unless a call names another number'],
  [
    'context.presets',
    'dense_tokens standard_tokens large_tokens',
    'the presets have 8,192, 32,768 and 200,000 tokens; a call can name any number',
  ],
  ['context.shares', 'system skills memory history request response', 'the parts of a context have fixed shares'],
  [
    'context.slots',
    'identity_max_tokens core_max_tokens journal_max_tokens projects_max_tokens notices_max_tokens topic_max_tokens procedures_max_tokens',
    'the parts of a context have fixed limits',
  ],
  ['context.floors', 'memory history', 'the parts of a context have fixed shares'],
  ['compaction', 'flush', 'what matters is saved first, unless a call says --no-flush'],
  ['compaction', 'window_tokens keep_messages', 'a call names the window and the messages to keep'],
  ['compaction', 'reserve_tokens reserve_max_share soft_tokens soft_max_share target_share', 'it is fixed'],
  ['consolidation', 'enabled', '`scheduler.daily`, `weekly` and `monthly: null` switch it off'],
  ['consolidation', 'min_age_days min_importance', 'episodes are condensed after 7 days, from importance 0.6 on'],
  ['reflection', 'enabled', '`scheduler.reflect: null` switches it off'],
  ['reflection', 'max_output_tokens', 'a reflection writes up to 8,000 tokens'],
  ['reflection', 'long_session_messages unprocessed_entries milestones', 'it is fixed'],
  ['decay', 'enabled', '`decay.lambda_per_day: 0` switches fading off'],
  ['decay', 'active_min fading_min dormant_min', 'it is fixed'],
  ['decay.base', 'explicit detected inferred', 'it is fixed'],
  ['decay.type_weights', 'core episodic semantic procedural', 'it is fixed'],
  ['gc', 'enabled', '`scheduler.decay: null` stops the proposals to archive'],
  ['gc', 'recency_weight access_weight importance_weight half_life_days max_score min_age_days', 'it is fixed'],
  ['retention', 'low_importance_max high_importance_min', 'low importance ends at 0.3, high importance begins at 0.7'],
  ['retention.episodic', 'low_archive_after_days', 'entries of low importance are archived after 7 days'],
  ['retention.episodic', 'medium_archive_after_days', '`retention.episodic.archive_after_days` counts'],
  ['retention.episodic', 'compress_after_days', 'an archived file is packed after 90 days'],
  ['retention.journal', 'compress_after_days', 'an archived file is packed after 90 days'],
  ['retention.episodic', 'active_days', 'it never had an effect'],
  ['retention.journal', 'active_days', 'it never had an effect; see `context.journal_days`'],
  ['retention.sessions', 'active_days archive_after_days', 'it never had an effect'],
  ['retention.semantic', 'archive review_interval_days', 'it never had an effect'],
  ['retention.semantic', 'review_low_confidence review_max_confidence', 'facts below a confidence of 0.3 are shown'],
  ['retention.procedural', 'archive', 'procedures are not archived by age'],
  [
    'retention.procedural',
    'review_failing review_max_success_rate review_min_executions',
    'a procedure that succeeds in less than one of ten runs is put up for review after ten',
  ],
  ['retention.procedural', 'review_interval_days', 'it never had an effect'],
  [
    'archive',
    'path folder_by maintain_index index_file compression compression_level compress never_compress',
    'it never had an effect',
  ],
  ['proposals', 'auto_approve_min_confidence', 'a confidence of 0.9 is needed'],
  ['proposals', 'remind_after_days', 'it never had an effect'],
  ['agents', 'review_at', 'the main agent reviews at the start of a session'],
  ['chain', 'transcripts', 'every finished transcript is entered'],
  ['chain', 'min_importance checkpoint_entries', 'it is fixed'],
  ['chain', 'anchor_rpc_url_env', 'the address is read from MNEME_EVM_RPC_URL'],
  ['chain', 'anchor_key_env', 'the key is read from MNEME_EVM_KEY'],
  ['scheduler', 'enabled', 'set a job to null to switch it off'],
  ['scheduler', 'catch_up', 'a job that was missed is run once'],
  ['scheduler', 'jitter_seconds', 'a job starts up to 30 seconds late'],
  ['scheduler', 'max_job_minutes', 'a job is told to stop after two hours'],
  ['server', 'max_body_bytes', 'a request may have 2 MiB'],
  ['server', 'threads', 'one thread besides the main one answers searches'],
  ['daemon', 'watch_files', 'edits are noticed at once'],
  ['daemon', 'heartbeat_seconds', 'there is a sign of life every 30 seconds'],
  ['daemon', 'log_level', 'the log holds errors, warnings and what was done'],
  ['daemon', 'log_keep_days', 'logs are kept for 14 days'],
  ['backup', 'enabled', '`scheduler.backup: null` switches it off'],
  ['backup', 'incremental', 'the nightly backup stores what is new; `mneme backup create` makes a whole file'],
  ['backup', 'verify', 'every backup is restored and compared before it counts as made'],
];

let byKey: ReadonlyMap<string, string> | undefined;

/** The replacement of a setting that earlier versions had; undefined when there never was one of that name. */
function whatReplaced(key: string): string | undefined {
  byKey ??= new Map(
    REMOVED.flatMap(([section, words, now]) => words.split(' ').map((word) => [`${section}.${word}`, now] as const)),
  );
  return byKey.get(key);
}

export function isRemovedSection(name: string): boolean {
  return REMOVED.some(([section]) => section === name || section.startsWith(`${name}.`));
}

export function describeRemoved(key: string): string | undefined {
  const now = whatReplaced(key);
  return now === undefined ? undefined : `"${key}" is no longer a setting: ${now}.`;
}
