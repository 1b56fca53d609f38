import { computeCosts } from './computeCosts.ts'
import { computeStorage } from './computeStorage.ts'
import { usage } from './costInputs.ts'

const number = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

const volumes = ['orders a day', ...usage.volumes.map(({ ordersPerDay }) => number.format(ordersPerDay))]

/** Rows of cells: dollars per month for each volume, with external solvers only and with two local ones. */
export const toCostTable = (): string[][] => {
  const columns = usage.volumes.map((volume) => computeCosts(volume, { isLocal: true }))
  const local = 'nodes: local solvers'
  const names = Object.keys(columns[0] ?? {})
  const toRow = (title: string, find: (costs: Record<string, number>) => number) => [
    title,
    ...columns.map((costs) => `$${number.format(find(costs))}`),
  ]
  const sum = (costs: Record<string, number>) => Object.values(costs).reduce((total, each) => total + each, 0)
  return [
    volumes,
    ...names.filter((name) => name !== local).map((name) => toRow(name, (costs) => costs[name] ?? 0)),
    toRow('total, external solvers', (costs) => sum(costs) - (costs[local] ?? 0)),
    toRow(local, (costs) => costs[local] ?? 0),
    toRow('total, with local solvers', sum),
  ]
}

/** Rows of cells: gigabytes in the database after a year, for each volume. */
export const toStorageTable = (): string[][] => [
  volumes,
  ...[
    { title: 'nothing removed', isArchived: false, areNotificationsDeleted: false },
    { title: 'with the archive', isArchived: true, areNotificationsDeleted: false },
    { title: 'and without old notifications', isArchived: true, areNotificationsDeleted: true },
  ].map(({ title, ...removals }) => [
    title,
    ...usage.volumes.map((volume) => number.format(computeStorage(volume, removals))),
  ]),
]
