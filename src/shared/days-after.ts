/**
 * @param date YYYY-MM-DD
 * @returns the day that many days later, in the same form
 */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}
