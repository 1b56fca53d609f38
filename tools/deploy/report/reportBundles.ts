import { toGroup } from '../faults/findSettingsFaults.ts'
import type { Plan } from '../planDeployment.ts'
import { type BundleSize, maxBundleSize, measureBundle } from './measureBundle.ts'

/** Prints the sizes of the bundles. @returns whether the platform accepts all of them */
export const reportBundles = async ({ workers }: Plan, log: (line: string) => void): Promise<boolean> => {
  const files = new Map(workers.map(({ config }) => [toGroup(config), config.main]))
  const sizes = await Promise.all([...files].map(async ([group, file]) => ({ group, size: await measureBundle(file) })))
  const toKib = (bytes: number) => Math.ceil(bytes / 1024)
  const describe = ({ script, wasm }: BundleSize) =>
    `${toKib(script)}${wasm > 0 ? ` + ${toKib(wasm)} of WebAssembly` : ''}`
  log(`\nbundles, KiB gzip of ${describe(maxBundleSize)}:`)
  log(`  ${sizes.map(({ group, size }) => `${group} ${describe(size)}`).join(' · ')}`)
  const faults = sizes.flatMap(({ group, size }) =>
    (['script', 'wasm'] as const)
      .filter((part) => size[part] > maxBundleSize[part])
      .map((part) => `  ${group}: its ${part} exceeds ${maxBundleSize[part]} bytes: ${size[part]}`),
  )
  for (const fault of faults) log(fault)
  return faults.length === 0
}
