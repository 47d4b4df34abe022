/** A part of the summary that can be cut at whole items. All texts are Markdown. */
export interface Section {
  /** Heading, table head, opening tag; always written. */
  readonly before: string;
  readonly items: readonly string[];
  /** Between items. */
  readonly separator: string;
  /** Closing tag, remedy; always written. */
  readonly after: string;
  /** Between before, items and after: one line feed inside tables, two elsewhere. */
  readonly glue: '\n' | '\n\n';
  /** The line that stands for items that did not fit. */
  readonly left: (count: number) => string;
}
