import { setting } from '../settings/setting.ts'
import { solverListSchema } from './solverList.ts'

export const SOLVERS = setting(solverListSchema, {
  description:
    'solvers that compete: `{"name":"direct","strategy":"direct"}` and the engine of `{"name":"…","engine":"https://…"}` settle from here, `{"name":"…","address":"0x…","url":"https://…"}` elsewhere; a JSON array',
  scope: 'network',
  required: true,
  isDerived: true,
})
