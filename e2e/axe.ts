/** Accessibility checks: the rules and the advice of axe. */
import { expect, type Frame, type Page } from '@playwright/test';
import axe from 'axe-core';

/** All rules whose result depends on the color scheme. */
const COLORS_ONLY: axe.RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

export const WIDE = { width: 1440, height: 900 } as const;
export const NARROW = { width: 390, height: 844 } as const;

/**
 * Checks a page, or the part of it that matches a CSS selector, in the light and in the dark color scheme. `state`
 * names the state of the page in a failure. The test goes on after a failure, so that one run names all of them.
 * Costs about 0.5 s of processor time on a page of the studio.
 *
 * All rules run in the scheme that the page has, and those about colors in the other one, which the page has from then
 * on: a change of the scheme costs half as much as a check.
 *
 * `within` is for what appears on a page that was checked already: a dialog, a list, the next card. The rest of the
 * page is as it was. A test checks the whole page with the first modal dialog it opens: what opening one does to the
 * page behind it is the same code for all of them.
 */
export async function expectNoFaults(page: Page, state = 'this page', within = 'html'): Promise<void> {
  await expectNone(page, state, within, {});
  await changeScheme(page);
  await expectNone(page, state, within, COLORS_ONLY);
}

/**
 * Does the same in a wide window and, after a change of its size in place, in a narrow one, where nothing may be wider
 * than the window. For states that look the same whether they are opened in a window of that size or resized to it:
 * the studio's dialogs do not.
 *
 * All rules run at both sizes. The ones whose result depends on the size of what is shown (`color-contrast`,
 * `target-size`, `scrollable-region-focusable`) would not do: in nearly every page a name, a label or a link is shown
 * at one size only, and rules about names, landmarks, headings and lists look at what is shown. Most of a check is
 * `color-contrast`; leaving out the others would save 0.1 s of it.
 */
export async function expectNoFaultsAtBothSizes(page: Page, state: string, within = 'html'): Promise<void> {
  await expectNone(page, `${state}, wide`, within, {});
  await page.setViewportSize(NARROW);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), state).toBe(NARROW.width);
  await expectNone(page, `${state}, narrow`, within, {});
  await changeScheme(page);
  await expectNone(page, `${state}, narrow`, within, COLORS_ONLY);
  await page.setViewportSize(WIDE);
  await expectNone(page, `${state}, wide`, within, COLORS_ONLY);
}

/** Changes the color scheme of a page from light to dark or back. */
async function changeScheme(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: (await isDark(page)) ? 'light' : 'dark' });
}

const isDark = (page: Page): Promise<boolean> =>
  page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);

async function expectNone(page: Page, state: string, within: string, options: axe.RunOptions): Promise<void> {
  await Promise.all(page.frames().map(loadAxe));
  // AxeBuilder of @axe-core/playwright collects every check of every node, which takes six times as long.
  const violationsOnly: axe.RunOptions = { ...options, resultTypes: ['violations'] };
  const faults = await page.evaluate(
    async ([within, options]) => {
      const { violations } = await window.axe.run({ include: [within] }, options);
      // The path through frames and their elements; of an element of this page its source too.
      const describe = (path: readonly string[]) =>
        (path.length === 1 && document.querySelector(path[0]!)?.outerHTML.slice(0, 160)) || path.join(' > ');
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => describe(target.map(String))).join(' | ')}`,
      );
    },
    [within, violationsOnly] as const,
  );
  expect.soft(faults, `${state}, ${(await isDark(page)) ? 'dark' : 'light'}`).toEqual([]);
}

/**
 * Stands for `WeakMap` in the source of axe, whose colors keep each of their private fields in one. A field of the
 * object itself is read without a hash table, and the garbage collector need not look for it. Nodes keep no field,
 * because they outlive a check.
 */
const FIELD_MAP = `class {
  key = Symbol();
  nodes = new WeakMap();
  has(owner) { return owner instanceof Node ? this.nodes.has(owner) : this.key in owner; }
  get(owner) { return owner instanceof Node ? this.nodes.get(owner) : owner[this.key]; }
  set(owner, value) {
    if (owner instanceof Node) this.nodes.set(owner, value);
    else owner[this.key] = value;
    return this;
  }
}`;

/** Lets axe parse each text of a color once. It parses the background of every node below a text, some thousand. */
function rememberColors(color: Pick<AxeColor, 'parseString'>): void {
  const parse = color.parseString;
  const valuesByText = new Map<string, readonly [r: number, g: number, b: number, alpha: number]>();
  color.parseString = function (this: AxeColor, text) {
    const values = valuesByText.get(text);
    if (values) [this.r, this.g, this.b, this.alpha] = values;
    else valuesByText.set(text, [parse.call(this, text).r, this.g, this.b, this.alpha]);
    return this;
  };
}

/**
 * Lets axe forget the nodes that passed a rule. For each of their checks, which are most of the results, it would find
 * words that nobody reads.
 */
function forgetPasses(audit: AxeAudit): void {
  const { after } = audit;
  const isPass = ({ any, all, none }: AxeNodeResult): boolean =>
    (any.length === 0 || any.some(({ result }) => result === true)) &&
    all.every(({ result }) => result === true) &&
    none.every(({ result }) => result === false);
  audit.after = (results, options) => {
    const rules = after.call(audit, results, options);
    for (const rule of rules) rule.nodes = rule.nodes.filter((node) => !isPass(node));
    return rules;
  };
}

/** The part of axe's audit that comes between its checks and their reports. */
interface AxeAudit {
  after(results: AxeRuleResult[], options: axe.RunOptions): AxeRuleResult[];
}

interface AxeRuleResult {
  nodes: AxeNodeResult[];
}

/** A node passes a rule by any check of `any`, all of `all` and none of `none`. An undefined result is for a person. */
type AxeNodeResult = Record<'any' | 'all' | 'none', readonly { readonly result?: boolean }[]>;

/** The parts of a color of axe that `parseString` sets. */
interface AxeColor {
  r: number;
  g: number;
  b: number;
  alpha: number;
  parseString(this: AxeColor, text: string): AxeColor;
}

/**
 * Loads axe into a document once. A frame answers the axe of the page around it whatever its origin is. With other maps
 * and remembered colors the checks of a test take a fifth less processor time. It does not read the source of each
 * element that it checks: that of a stage is all paths of its drawing.
 */
async function loadAxe(frame: Frame): Promise<void> {
  if (await frame.evaluate(() => 'axe' in window)) return;
  await frame.evaluate(`((WeakMap) => {${axe.source}})(${FIELD_MAP});
    (${rememberColors})(axe.commons.color.Color.prototype);
    (${forgetPasses})(axe._audit);
    axe.configure({ allowedOrigins: ['<unsafe_all_origins>'], noHtml: true })`);
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}
