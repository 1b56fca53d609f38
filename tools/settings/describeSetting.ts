import type { SettingFacts } from '#shared/settings/setting.ts'

/** Plain text of a setting in one line: `time that solvers have for a quote; default 5000 ms`. */
export const describeSetting = (facts: SettingFacts): string => {
  const fallback = describeFallback(facts)
  return (fallback ? `${facts.description}; ${fallback}` : facts.description).replaceAll('`', '')
}

const describeFallback = ({ absent, default: value, unit }: SettingFacts): string | undefined => {
  if (absent) return `without it: ${absent}`
  return value ? `default ${value}${unit ? ` ${unit}` : ''}` : undefined
}
