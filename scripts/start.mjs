// Starts Kerbside on a machine without installed packages. Checks Node.js, installs what is
// missing, then runs start.ts.
import { checkNode, installMissing } from './install.mjs'

checkNode()
installMissing()
const { register } = await import('tsx/esm/api')
register()
await import('./start.ts')
