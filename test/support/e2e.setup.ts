import { beforeEach } from 'vitest'
import { saveEvidence } from './failureEvidence'

// Runs before each browser test file. Vitest calls `onTestFailed` also when a hook of the file
// fails, unlike a hook of our own.
beforeEach(({ task, onTestFailed }) => onTestFailed(() => saveEvidence(task)))
