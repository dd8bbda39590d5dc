// The values that the page and the server exchange, and those that modules share. For the type checker only: never served.

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
  homepage?: string;
  keyPage?: string | null;
  /** How to get a key, in words. */
  keyHelp?: string;
  key: 'none' | 'optional' | 'required';
  hasKey: boolean;
  secrets?: string[];
  needsServer?: boolean;
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
  camera?: { make?: string; model?: string; lens?: string; exposure?: string; aperture?: string; focalLength?: string; iso?: number };
  colors?: string[];
  color?: string;
  stats?: Record<string, number>;
  media: Media[];
  rating?: string;
  extra?: Record<string, unknown>;
  pictures?: { thumbnail?: Picture; preview?: Picture; full?: Picture };
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

/** What a source says beside its results, or what is done meanwhile. */
export interface Notice {
  provider?: string;
  code?: string;
  message: string;
  hint?: string;
}

/** What is listed: a search, a feed or a collection, and where. */
export interface Query {
  text: string;
  isFeed: boolean;
  collection: string;
  providers: string[];
  near: string;
  /** Values by `PROVIDER.NAME`. */
  parameters: Record<string, string>;
}

/** Which of what was found is shown. */
export interface Filters {
  tags: string[];
  orientations: string[];
  sizes: string[];
  colors: string[];
  licenses: string[];
  sources: string[];
  from: string;
  to: string;
}

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
