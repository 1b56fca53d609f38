import { toTable } from './bench/toTable.ts'
import { readCommand } from './command/readCommand.ts'
import { toCostTable, toStorageTable } from './costs/toCostTable.ts'

readCommand({
  run: 'npm run costs',
  about: `Prints what a deployment costs in US dollars per month, for three volumes, with five networks, and how much it stores.
Prices, measured figures and assumptions are in tools/costs/costInputs.ts; docs/operations.md explains them.`,
  options: {},
})
console.log(toTable('US dollars per month', toCostTable()))
console.log(toTable('gigabytes in the database after a year', toStorageTable()))
