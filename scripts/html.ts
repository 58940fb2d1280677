const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text as it may stand in HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (mark) => MARKS[mark] ?? '')
