/** The shapes of LangGraph's `BaseStore`, written out: an adapter that imports nothing needs nothing installed to be loaded. */

/** JSON, as LangGraph types it: whatever an application keeps. */
// oxlint-disable-next-line typescript/no-explicit-any
export type StoredValue = Record<string, any>;

export interface StoredItem {
  value: StoredValue;
  key: string;
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface FoundItem extends StoredItem {
  /** From 0 to 1; only where a query was given. */
  score?: number;
}

export interface SearchOptions {
  filter?: StoredValue;
  limit?: number;
  offset?: number;
  query?: string;
}

export interface NamespaceOptions {
  prefix?: string[];
  suffix?: string[];
  maxDepth?: number;
  limit?: number;
  offset?: number;
}

export interface MatchCondition {
  matchType: 'prefix' | 'suffix';
  path: string[];
}

export interface GetOperation {
  namespace: string[];
  key: string;
}

export interface SearchOperation extends SearchOptions {
  namespacePrefix: string[];
}

export interface PutOperation {
  namespace: string[];
  key: string;
  value: StoredValue | null;
  index?: false | string[];
}

export interface ListNamespacesOperation {
  matchConditions?: MatchCondition[];
  maxDepth?: number;
  limit: number;
  offset: number;
}

export type StoreOperation = GetOperation | SearchOperation | PutOperation | ListNamespacesOperation;

export type StoreResults<Operations extends readonly StoreOperation[]> = {
  [Index in keyof Operations]: Operations[Index] extends PutOperation
    ? void
    : Operations[Index] extends SearchOperation
      ? FoundItem[]
      : Operations[Index] extends GetOperation
        ? StoredItem | null
        : Operations[Index] extends ListNamespacesOperation
          ? string[][]
          : never;
};
