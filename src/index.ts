import type { Library } from './verb-registry/verbs.generated.ts';

/** Mneme as a library: `const m = await openMneme({ home })`. */
export { openMneme, Mneme } from './mneme.ts';
export type { OpenOptions } from './compose-home.ts';
export { restoreBackup, type RestoredHome, type RestoreInput } from './operations/backup/restore.ts';
export { initHome, type InitInput, type Initialized } from './operations/home/init.ts';
export type { Remembered, RememberInput } from './operations/remember.ts';
export type { SessionHandle } from './operations/session/session.ts';
export { MnemeError, type ErrorCode } from './model/errors.ts';
export type { ActionContext, ActionOptions, InputSchema } from './memory/procedures/workflow/actions.ts';
export type { Answer, Question } from './memory/procedures/workflow/events.ts';
export type { RunResult } from './operations/procedures/run-result.ts';
export type ProcedureVerbs = Library['procedures'];
export type { RunOptions } from './operations/procedures/run.ts';
export { MemoryTool, type MemoryToolOptions, type MemoryToolResult } from './interfaces/memory-tool/memory-tool.ts';
export { MemoryToolError } from './interfaces/memory-tool/memory-tool-error.ts';
export type { MemoryCommand } from './interfaces/memory-tool/commands.ts';
export { agentTools, type AgentTool, type AgentToolsOptions } from './interfaces/adapters/agent-tools.ts';
export { createOpenClawPlugin, type OpenClawPlugin } from './interfaces/openclaw/plugin.ts';
export type { Extractor, ExtractorTask, Found } from './extract/extractors.ts';
export type { Candidate, Evidence, KnowledgeKind } from './model/knowledge.ts';
export type { ImportInput } from './operations/import.ts';
export type { ImportResult } from './exchange/import/request.ts';
export type { ExportInput, ExportResult } from './operations/export/export.ts';
export type { RecallInput, RecallResult } from './operations/search/recall.ts';
export type { BriefingInput, FormattedBriefing } from './operations/briefing.ts';
export type { ForgetPlan } from './operations/forget.ts';
export type { WriteResult } from './operations/write-result.ts';
