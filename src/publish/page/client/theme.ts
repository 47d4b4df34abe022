import { byId } from './dom.ts';

const KEY = 'mcp-conformance-theme';

/** The three-way theme switch. What was chosen is kept where the browser lets a page opened from disk keep something. */
export function startTheme(): void {
  const group = byId('theme');
  const apply = (theme: string) => {
    document.documentElement.dataset.theme = theme;
    for (const input of group.querySelectorAll('input')) input.checked = input.value === theme;
  };
  apply(stored() ?? 'auto');
  group.addEventListener('change', (event) => {
    const { value } = event.target as HTMLInputElement;
    apply(value);
    try {
      localStorage.setItem(KEY, value);
    } catch {
      // Storage is denied here: the choice holds until the page is closed.
    }
  });
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
