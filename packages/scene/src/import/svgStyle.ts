/**
 * Reads the part of CSS that drawings use: declarations, and rules by type, class, id and plain attribute, with
 * descendant and child combinators. One pass over the text, without regular expressions that could backtrack.
 * Everything else (at-rules, pseudo-classes) is skipped.
 */
export interface Declaration {
  readonly name: string;
  readonly value: string;
  readonly isImportant: boolean;
}

/** The facts about an element that a selector can match. */
export interface StyleTarget {
  readonly name: string;
  readonly attrs: ReadonlyMap<string, string>;
  readonly classes: ReadonlySet<string>;
  readonly parent: StyleTarget | undefined;
  readonly isFirstChild: boolean;
}

interface Compound {
  readonly type: string | undefined;
  readonly id: string | undefined;
  readonly classes: readonly string[];
  readonly attributes: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly isFirstChild: boolean;
  /** The combinator between this compound and the one before it in the selector. */
  readonly combinator: ' ' | '>' | undefined;
}

export interface Rule {
  /** Rightmost compound last. */
  readonly selector: readonly Compound[];
  /** Of two rules for one property, that of higher specificity wins; at equal ones the later. */
  readonly specificity: number;
  readonly declarations: readonly Declaration[];
}

const MAX_VALUE_LENGTH = 4096;

/** Reads `name: value; …`. Quotes and brackets protect semicolons; broken declarations are skipped. */
export function parseDeclarations(css: string): Declaration[] {
  const declarations: Declaration[] = [];
  for (const part of splitOutside(stripComments(css), ';')) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    const name = part.slice(0, colon).trim().toLowerCase();
    let value = part.slice(colon + 1).trim();
    const isImportant = value.toLowerCase().endsWith('!important');
    if (isImportant) value = value.slice(0, -'!important'.length).trim();
    if (name && value && value.length <= MAX_VALUE_LENGTH) declarations.push({ name, value, isImportant });
  }
  return declarations;
}

/** Reads a style sheet. Skips at-rules and rules with an unsupported selector. */
export function parseRules(css: string): Rule[] {
  const text = stripComments(css).replaceAll('<!--', ' ').replaceAll('-->', ' ');
  const rules: Rule[] = [];
  let i = 0;
  let open = -1;
  let semicolon = -1;
  // Searched again only when passed: otherwise a sheet without one would be read over and over.
  const next = (char: string, lastPosition: number) => {
    if (lastPosition >= i) return lastPosition;
    const position = text.indexOf(char, i);
    return position < 0 ? text.length : position;
  };
  while (i < text.length) {
    open = next('{', open);
    semicolon = next(';', semicolon);
    const prelude = text.slice(i, open).trim();
    if (prelude.startsWith('@')) {
      i = semicolon < open ? semicolon + 1 : skipBlock(text, open);
      continue;
    }
    if (open === text.length) break;
    const end = skipBlock(text, open);
    const declarations = parseDeclarations(text.slice(open + 1, end - 1));
    for (const source of prelude.split(',')) {
      const selector = parseSelector(source.trim());
      if (selector && declarations.length > 0) {
        rules.push({ selector, specificity: specificityOf(selector), declarations });
      }
    }
    i = end;
  }
  return rules;
}

/** Returns the index after the `}` that closes the block opened at `open`. */
function skipBlock(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i + 1;
  }
  return text.length;
}

function stripComments(css: string): string {
  let out = '';
  let i = 0;
  for (;;) {
    const open = css.indexOf('/*', i);
    if (open < 0) return out + css.slice(i);
    out += `${css.slice(i, open)} `;
    const close = css.indexOf('*/', open + 2);
    if (close < 0) return out;
    i = close + 2;
  }
}

function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let quote = '';
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    if (quote) {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(') depth++;
    else if (char === ')') depth = Math.max(0, depth - 1);
    else if (char === separator && depth === 0) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

const isNameChar = (char: string | undefined) => char !== undefined && /[\w-]|[^\0-\x7f]/.test(char);

function parseSelector(source: string): Compound[] | undefined {
  const compounds: Compound[] = [];
  let combinator: ' ' | '>' | undefined;
  let i = 0;
  const name = () => {
    const from = i;
    while (isNameChar(source[i])) i++;
    return source.slice(from, i);
  };
  while (i < source.length) {
    const compound = {
      type: undefined as string | undefined,
      id: undefined as string | undefined,
      classes: [] as string[],
      attributes: [] as { name: string; value: string | undefined }[],
      isFirstChild: false,
      combinator,
    };
    const start = i;
    if (source[i] === '*') i++;
    else if (isNameChar(source[i])) compound.type = name();
    for (;;) {
      const char = source[i];
      if (char === '#' || char === '.') {
        i++;
        const word = name();
        if (!word) return undefined;
        if (char === '#') compound.id = word;
        else compound.classes.push(word);
      } else if (char === '[') {
        const end = source.indexOf(']', i);
        if (end < 0) return undefined;
        const [attribute, value] = source.slice(i + 1, end).split('=', 2);
        if (!attribute || !/^[\w-]+$/.test(attribute.trim())) return undefined;
        compound.attributes.push({ name: attribute.trim(), value: value?.trim().replaceAll(/["']/g, '') });
        i = end + 1;
      } else if (source.startsWith(':first-child', i)) {
        compound.isFirstChild = true;
        i += ':first-child'.length;
      } else break;
    }
    if (i === start) return undefined;
    compounds.push(compound);
    if (compounds.length > MAX_COMPOUNDS) return undefined;

    const gap = i;
    while (source[i] !== undefined && source[i]! <= ' ') i++;
    combinator = ' ';
    if (source[i] === '>') {
      combinator = '>';
      i++;
      while (source[i] !== undefined && source[i]! <= ' ') i++;
    } else if (i === gap && i < source.length) return undefined;
  }
  return compounds.length > 0 ? compounds : undefined;
}

const MAX_COMPOUNDS = 16;

function specificityOf(selector: readonly Compound[]): number {
  return selector.reduce(
    (sum, { type, id, classes, attributes, isFirstChild }) =>
      sum +
      (id ? 1_000_000 : 0) +
      (classes.length + attributes.length + (isFirstChild ? 1 : 0)) * 1000 +
      (type ? 1 : 0),
    0,
  );
}

/**
 * Returns a function that finds the rules of an element, weakest first. Rules are indexed by what their last compound
 * names, so most elements are compared with few of them. `spend` is called once for each comparison; it may throw to
 * stop a sheet that is made to be slow.
 */
export function createMatcher(rules: readonly Rule[], spend: () => void): (element: StyleTarget) => Rule[] {
  const order = new Map(rules.map((rule, index) => [rule, index]));
  const byName = new Map<string, Rule[]>();
  for (const rule of rules) {
    const { id, classes, type } = rule.selector.at(-1)!;
    const key = id ? `#${id}` : classes[0] ? `.${classes[0]}` : (type ?? '*');
    const list = byName.get(key);
    if (list) list.push(rule);
    else byName.set(key, [rule]);
  }

  return (element) => {
    if (rules.length === 0) return [];
    const id = element.attrs.get('id');
    const keys = new Set([element.name, '*', ...[...element.classes].map((name) => `.${name}`)]);
    if (id) keys.add(`#${id}`);
    const matchingRules: Rule[] = [];
    for (const key of keys) {
      for (const rule of byName.get(key) ?? []) {
        if (matches(rule.selector, rule.selector.length - 1, element, spend)) matchingRules.push(rule);
      }
    }
    return matchingRules.sort((a, b) => a.specificity - b.specificity || order.get(a)! - order.get(b)!);
  };
}

/** Returns the classes of an element, at most 50, from the first 2000 characters. */
export const parseClasses = (attribute: string | undefined): ReadonlySet<string> =>
  new Set(attribute?.slice(0, 2000).split(/\s/).filter(Boolean).slice(0, 50));

function matches(selector: readonly Compound[], index: number, element: StyleTarget, spend: () => void): boolean {
  spend();
  const compound = selector[index]!;
  if (!matchesCompound(compound, element)) return false;
  if (index === 0) return true;
  let ancestor = element.parent;
  if (compound.combinator === '>') return ancestor !== undefined && matches(selector, index - 1, ancestor, spend);
  for (; ancestor; ancestor = ancestor.parent) if (matches(selector, index - 1, ancestor, spend)) return true;
  return false;
}

function matchesCompound({ type, id, classes, attributes, isFirstChild }: Compound, element: StyleTarget): boolean {
  if (type !== undefined && type !== element.name) return false;
  if (id !== undefined && id !== element.attrs.get('id')) return false;
  if (isFirstChild && !element.isFirstChild) return false;
  return (
    classes.every((name) => element.classes.has(name)) &&
    attributes.every(({ name, value }) =>
      value === undefined ? element.attrs.has(name) : element.attrs.get(name) === value,
    )
  );
}
