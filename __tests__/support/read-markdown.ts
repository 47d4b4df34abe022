import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

export interface RenderedMarkdown {
  /** Names of all elements. */
  readonly elements: ReadonlySet<string>;
  readonly links: readonly string[];
  /** Attributes other than those that the renderer itself makes. */
  readonly attributes: ReadonlySet<string>;
  /** Text outside of code and links, where GitHub resolves mentions, references and bare addresses. */
  readonly prose: readonly string[];
  /** All text, as a person reads it. */
  readonly text: string;
  readonly headings: readonly string[];
  /** Cells of each row of each table. */
  readonly rows: readonly (readonly string[])[];
}

/** Renders GitHub-flavoured Markdown, raw HTML included, and reads the result with an HTML parser. */
export function readMarkdown(markdown: string): RenderedMarkdown {
  const html = micromark(markdown, {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  });
  const elements = new Set<string>();
  const attributes = new Set<string>();
  const links: string[] = [];
  const prose: string[] = [];
  const headings: string[] = [];
  const rows: string[][] = [];
  let text = '';
  const visit = (node: Node, inert: boolean): void => {
    if (node.nodeName === '#text' && 'value' in node) {
      text += node.value;
      if (!inert) prose.push(node.value);
      return;
    }
    if (!('tagName' in node)) return;
    elements.add(node.tagName);
    for (const { name, value } of node.attrs) {
      if (node.tagName === 'a' && name === 'href') links.push(value);
      else attributes.add(`${node.tagName} ${name}`);
    }
    if (/^h\d$/.test(node.tagName)) headings.push(textOf(node));
    if (node.tagName === 'tr')
      rows.push(node.childNodes.filter((c) => c.nodeName === 'td' || c.nodeName === 'th').map(textOf));
    for (const child of node.childNodes) visit(child, inert || ['code', 'pre', 'a'].includes(node.tagName));
  };
  for (const node of parseFragment(html).childNodes) visit(node, false);
  return { elements, attributes, links, prose, text, headings, rows };
}

function textOf(node: Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

/** What GitHub would turn into a link or a notification in such text. */
export function linkedByGitHub(prose: string): string[] {
  const patterns = [
    /(?<![\w@])@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\/[\w-]+)?/gi,
    /(?<!\w)(?:[\w.-]+\/[\w.-]+)?#\d+/g,
    /(?<!\w)GH-\d+/gi,
    /https?:\/\/\S+/gi,
    /(?<!\w)www\.\S+/gi,
    /[\w.+-]+@[\w-]+\.[\w.]+/g,
    /:[a-z]\w+:/gi,
  ];
  return patterns.flatMap((pattern) => prose.match(pattern) ?? []);
}
