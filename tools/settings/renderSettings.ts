import type { SettingFacts } from '#shared/settings/setting.ts'
import { settingsTable } from './settingsTable.ts'
import { toDefaultCell, toDescriptionCell } from './toDefaultCell.ts'

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
