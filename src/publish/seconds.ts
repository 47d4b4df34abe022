/** A duration for people: "0.4 s", "12 s", "3 min 5 s". @param ms milliseconds */
export function seconds(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const whole = Math.round(ms / 1000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
