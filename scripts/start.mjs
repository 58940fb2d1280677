// Why: the door that works on a bare machine. It checks Node, installs what is missing, then hands over to start.ts.
import { checkNode, installMissing } from './install.mjs'

checkNode()
installMissing()
const { register } = await import('tsx/esm/api')
register()
await import('./start.ts')
