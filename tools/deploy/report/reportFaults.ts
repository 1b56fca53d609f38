import type { SettingFault } from '../faults/findFaults.ts'

/** Prints faults of settings and the files to correct. */
export const reportFaults = (faults: readonly SettingFault[], log: (line: string) => void): void => {
  log(faults.length === 0 ? '\nsettings: complete' : '\nsettings:')
  for (const { setting, fault, file, about } of faults)
    log(`  ${setting}: ${fault}. ${fault === 'missing' ? 'Set' : 'Correct'} it in ${file}${about ? ` (${about})` : ''}`)
}
