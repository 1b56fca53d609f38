import type { SettingFacts } from '#shared/settings/setting.ts'
import { type SettingRow, settingsTable } from './settingsTable.ts'

const sections: [scope: SettingFacts['scope'], title: string, text: string][] = [
  [
    'network',
    'Settings of a network',
    'In `.env.<network>`; in `.env.shared`, they apply to each network without its own value.',
  ],
  ['shared', 'Settings of all networks', 'In `.env.shared`.'],
  ['deployment', 'Derived by a deployment', 'Not provided by the operator.'],
  ['configuration', 'Settings in wrangler.toml', 'In the `[vars]` of the Worker.'],
  ['local', 'Settings of local stacks', 'A deployment does not accept them.'],
]

/** The page docs/settings.md. */
export const renderSettings = (): string =>
  `${[
    '# Settings',
    'Every setting of every Worker, written by `npm run settings` from the fields of `functions/*/settings.ts`. How to provide them:\n[deploy.md](deploy.md). Every field is text; JSON is written on one line.',
    ...sections.flatMap(([scope, title, text]) => [`## ${title}`, text, renderTable(scope)]),
  ].join('\n\n')}\n`

const renderTable = (scope: SettingFacts['scope']): string => {
  const rows = Object.entries(settingsTable).filter(([, row]) => row.scope === scope)
  return [
    '| Setting | Description | Default | Workers |',
    '| --- | --- | --- | --- |',
    ...rows.map(
      ([name, row]) =>
        `| \`${name}\` | ${toDescriptionCell(row)} | ${toDefaultCell(row)} | ${row.groups.join(', ') || 'none'} |`,
    ),
  ].join('\n')
}

/** Cell with the description of a setting. */
const toDescriptionCell = ({ description, secret }: SettingRow): string =>
  `${escapeCell(description)}${secret ? ' (secret)' : ''}`

/** Cell with the default of a setting and its unit. */
const toDefaultCell = ({ absent, default: value, required, unit }: SettingRow): string => {
  if (required) return 'required'
  if (absent) return escapeCell(absent)
  return value ? `\`${escapeCell(value)}\`${unit ? ` ${unit}` : ''}` : 'empty'
}

/** A bar would end the cell. */
const escapeCell = (text: string): string => text.replaceAll('|', '\\|')
