import { solverListSchema } from '../solvers/solverList.ts'
import { setting } from './setting.ts'

export const SOLVERS = setting(solverListSchema, {
  description:
    'solvers that compete: `{"name":"direct","strategy":"direct"}` runs here, `{"name":"…","address":"0x…","url":"https://…"}` elsewhere; a JSON array',
  scope: 'network',
  required: true,
  isDerived: true,
})
