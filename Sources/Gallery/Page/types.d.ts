// The values that the page and the server exchange, and those that modules share. For the type checker only: never
// served.

export interface Parameter {
  name: string;
  type: 'choice' | 'list' | 'string' | 'integer' | 'number' | 'boolean';
  values?: string[];
  min?: number;
  max?: number;
  default?: string;
  help?: string;
}

export interface Operation {
  kind: 'search' | 'feed' | 'collection' | 'details';
  parameters: Parameter[];
  near?: boolean;
}

export interface Provider {
  id: string;
  name: string;
  summary?: string;
  category?: string;
  /** Most of its images are for adults. */
  adult?: boolean;
  homepage?: string;
  keyPage?: string | null;
  /** How to get a key, in words. */
  keyHelp?: string;
  key: 'none' | 'optional' | 'required';
  hasKey: boolean;
  keyOrigin?: 'stored' | 'environment';
  version?: string;
  /** Where faults of it are reported. */
  bugs?: string;
  secrets?: string[];
  needsServer?: boolean;
  /** What its version is known to suffer from. */
  broken?: string;
  isDefault: boolean;
  notice?: string;
  /** Why it cannot be loaded. */
  error?: string;
  operations: Operation[];
}

export interface ProviderList {
  providers: Provider[];
  offline?: boolean;
  sample?: boolean;
  downloadFolder?: string;
}

export interface Picture {
  url: string;
  width?: number;
  height?: number;
}

export interface Media {
  role: string;
  url: string;
  width?: number;
  height?: number;
  bytes?: number;
  format?: string;
  file?: number;
}

export interface Item {
  provider: string;
  id: string;
  ref: string;
  type: 'image' | 'animation' | 'video' | 'collection';
  title?: string;
  description?: string;
  page?: string;
  tags?: string[];
  author?: { name: string; id?: string; url?: string };
  license?: { id: string; name?: string; url?: string };
  created?: string;
  location?: { name?: string; city?: string; country?: string; latitude?: number; longitude?: number };
  camera?: {
    make?: string; model?: string; lens?: string; exposure?: string; aperture?: string; focalLength?: string;
    iso?: number;
  };
  colors?: string[];
  color?: string;
  stats?: Record<string, number>;
  media: Media[];
  rating?: string;
  aiGenerated?: boolean;
  alt?: string;
  extra?: Record<string, unknown>;
  pictures?: { thumbnail?: Picture; preview?: Picture; full?: Picture; film?: Picture };
  /** The file of an image that was downloaded. */
  file?: { path: string; bytes: number; downloaded: string };
  attribution?: { text: string; html: string; markdown: string };
  moreByAuthor?: string;
}

export interface Failure {
  provider: string;
  code?: string;
  message: string;
  hint?: string;
  keyPage?: string | null;
  needsKey?: boolean;
  /** The cursor that asks this provider again. */
  retry?: string | null;
}

/** A download of the server. */
export interface Download {
  id: string;
  state: 'running' | 'finished' | 'cancelled' | 'failed';
  total: number;
  done: number;
  finished: number;
  skipped: number;
  failed: number;
  bytes: number;
  cancelled: boolean;
  folder: string;
  error?: string;
}

/** Downloaded files that look alike. */
export interface Duplicates {
  groups: Item[][];
  remaining: number;
  obstacle?: string;
}

/** What a source says beside its results, or what is done meanwhile. */
export interface Notice {
  provider?: string;
  code?: string;
  message: string;
  hint?: string;
  count?: number;
}

/** A search that is kept, with its filters and sources in its address. */
export interface StoredSearch {
  address: string;
  title: string;
  /** The images that were there when somebody looked at it the last time, where new ones are marked. */
  seen?: string[] | null;
}

/** What the server keeps for the page. */
export interface Kept {
  recent: StoredSearch[];
  saved: StoredSearch[];
  sources: { providers: string[]; parameters: Record<string, string> };
  settings: { showsPictures?: boolean; showsAdult?: boolean; creditForm?: string; titles?: Record<string, string> };
}

/** A place of the listing to come back to. */
export interface Anchor {
  position: number;
  ref: string;
  offset: number;
}

/** How far the listing that is shown is. */
export interface Results {
  state: 'idle' | 'loading' | 'ended' | 'failed';
  found: number;
  shown: number;
  total: number;
  /** Much has come, and nothing of it meets the filters. */
  isBarren: boolean;
  /** The providers that keep everybody waiting. */
  awaited: string;
  error: string;
  /** How often failures and notices have changed. */
  notes: number;
}

/** Everything the page shows. */
export interface State {
  address: PageState;
  place: Anchor | null;
  providers: Provider[];
  areProvidersKnown: boolean;
  isOffline: boolean;
  server: 'there' | 'gone' | 'signed-out';
  results: Results | null;
  /** How often the counts of the facets have changed. */
  facets: number;
  areFiltersOpen: boolean;
  isChoosing: boolean;
  kept: Kept;
}

/** What is listed: a search, a feed or a collection, and where. */
export interface Query {
  text: string;
  isFeed: boolean;
  /** What was downloaded is listed, in this order. */
  isLibrary: boolean;
  order: string;
  collection: string;
  providers: string[];
  near: string;
  /** Values by `PROVIDER.NAME`. */
  parameters: Record<string, string>;
}

/** Which of what was found is shown: the chosen values of each facet, by its name. */
export type Filters = Record<string, string[]>;

/** Everything the address says. */
export interface PageState {
  query: Query;
  filters: Filters;
  /** The image that is looked at, as `PROVIDER:ID`. */
  image: string;
}

/** An item with its place in the listing and its proportions. */
export interface Entry {
  item: Item;
  index: number;
  /** Width by height. */
  ratio: number;
  /** Nobody told its proportions in time: they are those of a default shape. */
  isGuess?: boolean;
  /** It came since somebody looked at this search the last time. */
  isNew?: boolean;
  /** What it counts for, by facet. */
  facets?: Record<string, string[]>;
}

export interface Box {
  entry: Entry;
  left: number;
  width: number;
}

export interface Row {
  top: number;
  height: number;
  boxes: Box[];
}
