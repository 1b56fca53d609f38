import type { SettingRow } from './settingsTable.ts'

/** Cell with the description of a setting. */
export const toDescriptionCell = ({ description, secret }: SettingRow): string =>
  `${escapeCell(description)}${secret ? ' (secret)' : ''}`

/** Cell with the default of a setting and its unit. */
export const toDefaultCell = ({ absent, default: value, required, unit }: SettingRow): string => {
  if (required) return 'required'
  if (absent) return escapeCell(absent)
  return value ? `\`${escapeCell(value)}\`${unit ? ` ${unit}` : ''}` : 'empty'
}

/** A bar would end the cell. */
const escapeCell = (text: string): string => text.replaceAll('|', '\\|')
