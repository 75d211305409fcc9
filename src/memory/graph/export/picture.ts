import type { Scope } from '../../../model/provenance.ts';

/** A part of the graph, as exporters take it. */
export interface Picture {
  readonly entities: readonly PictureEntity[];
  readonly relations: readonly PictureRelation[];
}

export interface PictureEntity {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly status: string | undefined;
  readonly scope: Scope;
  readonly path: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly created: string | undefined;
  readonly updated: string | undefined;
  /** The current facts, in words. */
  readonly facts: readonly string[];
}

export interface PictureRelation {
  readonly id: string;
  /** Ids of the entities. */
  readonly from: string;
  readonly to: string;
  readonly relation: string;
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly isInferred: boolean;
}

export const EXPORT_FORMATS = ['mermaid', 'dot', 'graphml', 'json-ld'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
