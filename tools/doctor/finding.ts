/** One line of the report. `limited`: works with reduced function. */
export type DoctorFinding = {
  state: 'ok' | 'limited' | 'wrong'
  /** the checked item */
  name: string
  /** the result in a few words; never a secret */
  detail: string
  /** what to do, unless ok */
  remedy?: string
}

export const ok = (name: string, detail: string): DoctorFinding => ({ state: 'ok', name, detail })
export const limited = (name: string, detail: string, remedy: string): DoctorFinding => ({
  state: 'limited',
  name,
  detail,
  remedy,
})
export const wrong = (name: string, detail: string, remedy: string): DoctorFinding => ({
  state: 'wrong',
  name,
  detail,
  remedy,
})
