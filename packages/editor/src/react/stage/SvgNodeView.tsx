import type { SvgNode } from '@markwright/scene';
import { type CSSProperties, createElement, memo, type ReactElement } from 'react';

/**
 * Draws a node and everything below it. Compares by identity: the renderer returns the same nodes for what has not
 * changed, so a moved artwork costs one attribute, whatever its size.
 */
export const SvgNodeView = memo(function SvgNodeView({ node }: { node: SvgNode }): ReactElement {
  return createElement(node.tag, toProps(node.attrs), <SvgNodes nodes={node.children} />);
});

/** Draws a list of nodes. An unchanged list costs one comparison. */
export const SvgNodes = memo(function SvgNodes({ nodes }: { nodes: readonly SvgNode[] }) {
  return nodes.map((node, index) =>
    node.children.length === 0 ? (
      // Leaves need no component of their own: an artwork has thousands.
      createElement(node.tag, { ...toProps(node.attrs), key: index })
    ) : (
      <SvgNodeView key={index} node={node} />
    ),
  );
});

/** Returns attributes with their names in React's spelling; `data-*` and `aria-*` stay as they are. */
function toProps(attrs: SvgNode['attrs']): Record<string, string | CSSProperties> {
  const props: Record<string, string> = {};
  for (const name in attrs) props[toPropName(name)] = attrs[name]!;
  return props;
}

const propNames = new Map<string, string>();

function toPropName(name: string): string {
  let prop = propNames.get(name);
  if (prop === undefined) {
    prop = /^(data|aria)-/.test(name)
      ? name
      : name.replace(/[-:]([a-z])/g, (_, letter: string) => letter.toUpperCase());
    propNames.set(name, prop);
  }
  return prop;
}
