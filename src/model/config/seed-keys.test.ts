import { describe, expect, it } from 'vitest';
import { findKey, isSection } from './keys.ts';
import { SEED_KEY_MAP } from './seed-keys.ts';

/** Copied by hand from the seeds' YAML, one line per parent, so that a key lost from the map is noticed. */
const SEED_KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  S0: {
    context_compiler: 'token_budget identity_budget_kb memory_budget_kb journal_budget_kb topic_budget_kb',
    search: 'bm25_weight vector_weight embedding_model embedding_dimensions',
    watchers: 'similarity_threshold gate_model gate_max_tokens',
    lifecycle:
      'commit_interval_minutes journal_retention_days memory_line_cap extraction_trigger condensation_schedule pruning_schedule',
    git: 'auto_commit auto_push auto_tag_daily commit_message_model',
  },
  S1: {
    'retention_policies.episodic': 'active_period archive_after compress_after delete_after',
    'retention_policies.episodic.importance_override': 'HIGH MEDIUM LOW',
    'retention_policies.daily_logs': 'keep_active archive_after compress_after delete_after',
    'retention_policies.sessions': 'keep_active archive_after compress_after delete_after',
    'retention_policies.semantic': 'retention archive',
    'retention_policies.semantic.confidence_pruning': 'enabled threshold check_interval',
    'retention_policies.procedural': 'retention archive',
    'retention_policies.procedural.success_rate_pruning': 'enabled threshold min_executions check_interval',
    compression: 'algorithm level compress exclude',
    archival: 'location maintain_index index_location',
    'archival.structure': 'by_month by_year',
    'memory.storage': 'type path',
    'memory.storage.backup': 'enabled interval keep_count',
    'memory.embeddings': 'provider dimensions',
    'memory.embeddings.local': 'model download_if_missing',
    'memory.embeddings.openai': 'model batch_size',
    'memory.embeddings.gemini': 'model',
    'memory.search': 'max_results min_score snippet_max_chars',
    'memory.search.hybrid': 'enabled bm25_weight vector_weight',
    'memory.chunking': 'tokens overlap preserve_headers',
    'memory.context': 'working_memory_tokens recent_memories daily_logs_to_load',
    'memory.consolidation.daily': 'time enabled',
    'memory.consolidation.weekly': 'day time enabled',
    'memory.flush': 'enabled soft_threshold_tokens reserve_tokens_floor',
    'memory.retention': 'config_file',
  },
  S2: {
    memory: 'base_dir daily_log_format',
    'memory.chunking': 'tokens overlap respect_headers',
    'memory.embedding': 'provider model dimension batch_size',
    'memory.search': 'default_results min_score rrf_k',
    'memory.context':
      'model total_tokens system_tokens skills_tokens memory_tokens history_tokens request_tokens response_reserve',
    'memory.consolidation': 'enabled schedule age_threshold_days importance_threshold max_daily_logs',
    'memory.writes': 'batch_size batch_interval_seconds immediate_importance_threshold',
  },
};

function seedKeys(): string[] {
  return Object.entries(SEED_KEYS).flatMap(([seed, parents]) =>
    Object.entries(parents).flatMap(([parent, words]) => words.split(' ').map((word) => `${seed} ${parent}.${word}`)),
  );
}

describe('the map of the seeds’ keys', () => {
  it('has every key of the seeds and no other', () => {
    expect(Object.keys(SEED_KEY_MAP).sort()).toEqual(seedKeys().sort());
  });

  it('leads only to settings that exist', () => {
    const astray = Object.entries(SEED_KEY_MAP).filter(([, key]) => findKey(key) === undefined && !isSection(key));
    expect(astray).toEqual([]);
  });
});
