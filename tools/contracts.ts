import './networks/loadOperatorNetworks.ts'

import { join } from 'node:path'
import { multicall3Address } from '#shared/networks/multicall3Address.ts'
import { networks } from '#shared/networks.ts'
import { readCommand } from './command/readCommand.ts'
import { readAddress } from './command/readOptions.ts'
import { runMain } from './command/runMain.ts'
import { connectOperator, readOperatorKey } from './contracts/connectOperator.ts'
import { deployContracts } from './contracts/deployContracts.ts'
import { findNodeUrl } from './contracts/findNodeUrl.ts'
import { planContracts } from './contracts/planContracts.ts'
import { readEnvironment, toEnvironmentName } from './deploy/environment.ts'
import { readNetwork } from './deploy/readNetwork.ts'
import { settingsFile } from './deploy/settingsFile.ts'
import { writeSettings } from './deploy/writeSettings.ts'

const command = {
  run: 'npm run contracts',
  about: `Deploys your own contracts to a network and writes CONTRACTS into its settings. Run it again after a failure.
RPC_URL of the settings is the node; OPERATOR_PRIVATE_KEY is the key of the account that pays.`,
  positionals: { '<network>': 'name, alias or chain id' },
  options: {
    staging: { type: 'boolean', default: false, about: 'the staging environment of the network' },
    'dry-run': { type: 'boolean', default: false, about: 'print addresses, gas and cost, send nothing' },
    salt: {
      type: 'string',
      value: 'text',
      about: 'chooses the addresses, at most 32 bytes; default: edgebook, or edgebook-staging with --staging',
    },
    manager: { type: 'string', value: '0x…', about: 'adds and removes solvers; default: the account that pays' },
  },
} as const

/** Deploys the contracts, or prints a dry run. */
const main = async (): Promise<void> => {
  const { values, positionals } = readCommand(command)
  const name = readNetwork(positionals, command.run)
  const environment = readEnvironment(values.staging)
  const network = networks[name]
  const rpcUrl = findNodeUrl(process.cwd(), name, environment, process.env)
  const chain = connectOperator(rpcUrl, network, readOperatorKey(process.env))
  const manager = readAddress('--manager', values.manager ?? chain.account.address)
  const lacksMulticall3 = (await chain.getCode({ address: multicall3Address })) === undefined
  const plan = planContracts({
    salt: values.salt ?? toEnvironmentName('edgebook', environment),
    manager,
    wrappedNative: network.wrappedNative,
    lacksMulticall3,
  })
  const dryRun = values['dry-run']
  console.log(`${name}, ${environment}${dryRun ? ': dry run, nothing is sent' : ''}`)
  await deployContracts(chain, network, plan, { dryRun, log: console.log })
  if (dryRun) return
  const file = settingsFile(name, environment)
  writeSettings(join(process.cwd(), file), { CONTRACTS: JSON.stringify(plan.addresses) })
  console.log(
    `\nCONTRACTS written to ${file}; next: npm run solvers -- ${name} add${values.staging ? ' --staging' : ''}`,
  )
}

await runMain(main)
