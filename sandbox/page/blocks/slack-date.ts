/** Slack's date tokens, shown in the time zone of the browser as Slack's clients do. */
const formats: Record<string, Intl.DateTimeFormatOptions> = {
  date_num: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date_slash: { year: 'numeric', month: '2-digit', day: '2-digit' },
  date: { year: 'numeric', month: 'long', day: 'numeric' },
  date_short: { year: 'numeric', month: 'short', day: 'numeric' },
  date_long: { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit' },
  time_secs: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
};

/** `{date_short} at {time}` for a Unix time in seconds; for an unknown token shows the fallback, as Slack documents. */
export function formatSlackDate(unix: number, format: string, fallback: string, now: Date): string {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return fallback;
  let known = true;
  const text = format.replace(/\{([a-z_]+)\}/gu, (_, token: string) => {
    const base = token.replace(/_pretty$/u, '');
    const options = formats[base];
    if (token === 'ago') return agoOf(date, now);
    if (options === undefined) {
      known = false;
      return '';
    }
    return (token.endsWith('_pretty') ? dayName(date, now) : undefined) ?? inLocale(date, base, options);
  });
  return known ? text : fallback;
}

/** `14:05`, preceded by the day if it is not today. */
export function clockTime(date: Date, now: Date): string {
  const time = date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const day = dayName(date, now);
  if (day === 'today') return time;
  return `${day ?? date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })} ${time}`;
}

function inLocale(date: Date, base: string, options: Intl.DateTimeFormatOptions): string {
  if (base.startsWith('time')) return date.toLocaleTimeString('en-GB', options);
  return date.toLocaleDateString(base === 'date_num' ? 'sv-SE' : 'en-GB', options);
}

function dayName(date: Date, now: Date): string | undefined {
  const midnight = (one: Date) => new Date(one.getFullYear(), one.getMonth(), one.getDate()).getTime();
  const days = Math.round((midnight(date) - midnight(now)) / 86_400_000);
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : days === -1 ? 'yesterday' : undefined;
}

function agoOf(date: Date, now: Date): string {
  const minutes = Math.round((date.getTime() - now.getTime()) / 60_000);
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
  if (Math.abs(minutes) < 60 * 24) return relative.format(Math.round(minutes / 60), 'hour');
  return relative.format(Math.round(minutes / 60 / 24), 'day');
}
