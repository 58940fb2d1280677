import { useDeferredValue, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DomainError, domainError } from '~/domain/api/errors'
import { type LanguageForm, languageForm } from '~/domain/forms/catalogForms'
import {
  compareTexts,
  mergeTexts,
  createLanguage,
  parseTexts,
  pickOwnTexts,
} from '~/domain/catalog/languages'
import { findVariableFault } from '~/domain/messages/messageTexts'
import type { OfficeAction } from '~/domain/access/permissions'
import {
  editLanguage,
  fetchLanguage,
  languageById,
  makeDefaultLanguage,
} from '~/src/features/languages/languageEdits'
import {
  type LanguageSummary,
  languages as liveLanguages,
} from '~/src/features/languages/languages'
import { languageTexts } from '~/src/features/languages/languageTexts'
import { useShippedTexts } from '~/src/features/languages/useShippedTexts'
import { loadShippedTexts } from '~/src/i18n/shippedTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { Button, IconButton, StatusChip } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { isSameValue, ConcurrentEditsDialog } from '~/src/ui/forms/concurrentEdits'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import { Section, TextField } from '~/src/ui/forms/fields'
import { ListPage } from '~/src/office/recordPages/ListPage'
import pages from '~/src/office/recordPages/pages.module.css'
import { Panel } from '~/src/office/recordPages/Panel'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { SkeletonLines } from '~/src/ui/states'
import { confirmLeave, useUnsavedChangesPrompt } from '~/src/ui/unsavedChanges'
import { AuditTrail } from '../audit/AuditTrail'
import { useEditAuthors } from '../audit/useEditAuthors'
import { describeVariableFault } from '../messages/variableFault'
import { useOfficeSession } from '../useOfficeSession'
import { TextComparison } from './TextComparison'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './languages.module.css'
import type { Column } from '~/src/ui/table/tableProps'
import type { Language } from '~/domain/catalog/types'

/** Maximum number of conflicting texts that one question shows. */
const MAX_SHOWN_CONFLICTS = 20

type Texts = Readonly<Record<string, string>>

const toJsonText = (pairs: Texts) => JSON.stringify(pairs, null, 2)

/** Edits the key-value texts of one language as JSON. Only those that differ are stored. */
const JsonEditor = ({
  language,
  shipped,
  complete,
  onClose,
}: {
  language: Language
  /** The texts that ship with the product in this language. */
  shipped: Texts
  /** A text for every key: in the default language, or in English. */
  complete: Texts
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { can, notify } = useOfficeSession()
  const current = useMemo(
    () => ({ ...shipped, ...language.keyValuePairs }),
    [shipped, language.keyValuePairs],
  )
  const [opened] = useState(current)
  const [text, setText] = useState(() => toJsonText(opened))
  const [unsaved, setUnsaved] = useState<Record<string, string> | null>(null)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const [fault, setFault] = useState<ReturnType<typeof findVariableFault>>()
  const { busy, run } = useSingleRun({ isLast: true })
  const question = useUnsavedChangesPrompt(text !== toJsonText(opened))
  // We compare only after typing pauses: parsing two thousand texts at each keystroke would be
  // slow.
  const rested = useDeferredValue(text)
  const { texts, compared } = useMemo(() => {
    const pairs = parseTexts(rested)
    const now = pairs.ok ? pairs.value : current
    return { texts: now, compared: compareTexts(now, complete) }
  }, [rested, current, complete])
  const { missing } = compared
  const isChangedElsewhere = !isSameValue(current, opened)
  const submit = async () => {
    const pairs = parseTexts(text)
    if (!pairs.ok) return setRefused(pairs.error)
    const wrong = Object.entries(pairs.value).find((entry) => findVariableFault(...entry))
    if (wrong) return setFault(findVariableFault(...wrong))
    if (!can('language_save')) return setRefused(domainError('demo_mode'))
    const joined = mergeTexts(opened, pairs.value, current)
    if (joined.conflicts.length > 0) return setUnsaved(pairs.value)
    await write(joined.texts)
  }
  const write = async (all: Texts) => {
    setRefused(null)
    await run(async () => {
      await dispatch(
        editLanguage.quiet({
          language: { id: language.id, keyValuePairs: pickOwnTexts(all, shipped) },
          method: 'Update',
        }),
      ).unwrap()
      notify('saved')
      onClose()
    }).catch((error: unknown) => setRefused(error as DomainError))
  }
  const addMissing = () => {
    const pairs = parseTexts(text)
    if (!pairs.ok) return setRefused(pairs.error)
    setText(
      toJsonText({
        ...Object.fromEntries(missing.map((key) => [key, complete[key] ?? ''])),
        ...pairs.value,
      }),
    )
  }
  return (
    <>
      {missing.length > 0 && (
        <div className={css.missing}>
          <p>{t('missing_keys', { count: missing.length })}</p>
          <Button size="small" onClick={addMissing}>
            {t('add_missing_keys')}
          </Button>
        </div>
      )}
      <textarea
        className={css.json}
        aria-label={t('edit_json')}
        aria-invalid={refused?.key === 'json_error' || fault !== undefined || undefined}
        dir="ltr"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setRefused(null)
          setFault(undefined)
        }}
      />
      {isChangedElsewhere && (
        <p className={pages.note} role="status">
          {t('texts_changed_elsewhere')}
        </p>
      )}
      {refused && (
        <p className={pages.refused} role="alert">
          {t(refused.key)}
          {refused.params?.key !== undefined && `: ${refused.params.key}`}
        </p>
      )}
      {fault && (
        <p className={pages.refused} role="alert">
          <bdi dir="ltr">{fault.key}</bdi>: {describeVariableFault(fault, t)}
        </p>
      )}
      <div className={pages.foot}>
        <Button variant="primary" busy={busy} onClick={() => void submit()}>
          {t('submit')}
        </Button>
        <Button onClick={() => confirmLeave(onClose)}>{t('cancel')}</Button>
      </div>
      {unsaved && (
        <ConcurrentEditsDialog
          conflicts={mergeTexts(opened, unsaved, current)
            .conflicts.slice(0, MAX_SHOWN_CONFLICTS)
            .map((key) => ({
              name: key,
              from: opened[key],
              to: current[key],
              mine: unsaved[key],
              isResolved: false,
              described: {
                label: key,
                formatValue: (one) => (typeof one === 'string' ? one : t('empty_value')),
              },
            }))}
          getAuthor={() => undefined}
          onKeep={() => write(mergeTexts(opened, unsaved, current).texts)}
          onTake={() => write(mergeTexts(opened, current, unsaved).texts)}
          onClose={() => setUnsaved(null)}
        />
      )}
      <TextComparison compared={compared} texts={texts} fallback={complete} />
      {question}
    </>
  )
}

/** Returns a text for every key: in the default language, or in English. Null until loaded. */
const useCompleteTexts = (): Texts | null => {
  const { found, loading } = useLive(languageTexts, null)
  const [fallback] = found
  const english = useShippedTexts('en')
  const ofDefault = useShippedTexts(fallback?.langLocale ?? 'en')
  return useMemo(
    () =>
      loading || !english || !ofDefault
        ? null
        : { ...english, ...ofDefault, ...fallback?.keyValuePairs },
    [loading, english, ofDefault, fallback],
  )
}

/**
 * Shows the text editor; loads the texts of the language and of the default language next to them.
 */
const JsonPanel = ({
  language: { id, langName: name, langLocale },
  onClose,
}: {
  language: LanguageSummary
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { opened } = useLive(languageById, id)
  const shipped = useShippedTexts(langLocale)
  const complete = useCompleteTexts()
  const [language] = opened
  return (
    <Panel wide title={t('edit_json_of', { name })} onClose={() => confirmLeave(onClose)}>
      {language && shipped && complete ? (
        <JsonEditor language={language} shipped={shipped} complete={complete} onClose={onClose} />
      ) : (
        <SkeletonLines />
      )}
    </Panel>
  )
}

/** Lists the languages of the interface with their texts and marks the default language. */
export const LanguagesPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { canOrNotify, can, notify, notifyDeleted } = useOfficeSession()
  const { langlist, ...listQuery } = useLive(liveLanguages)
  // Contains 'new', an ID, or 'id~json'.
  const { opened, open, linkTo, close } = useOverlayParam('edit')
  const [edited = null, part = null] = opened?.split('~') ?? []
  const language = langlist.find(({ id }) => id === edited)
  const authors = useEditAuthors(language && `languages/${language.id}`)

  /** Reports success, and reloads the list after a language was added. */
  const done = (work: Promise<unknown>, then: () => void) =>
    void work.then(
      () => {
        listQuery.retry()
        then()
      },
      // The refusal is already shown as a notice.
      () => undefined,
    )
  const guarded = (action: OfficeAction, then: () => void) => () => {
    if (canOrNotify(action)) then()
  }
  const makeDefault = (id: string) =>
    void dispatch(makeDefaultLanguage({ id, all: langlist }))
      .unwrap()
      .then(
        () => notify('saved'),
        () => undefined,
      )
  const remove = async (row: LanguageSummary) => {
    if (row.default) {
      dispatch(
        noticeRaised({
          tone: 'problem',
          text: 'cannot_delete_default_language',
          endedBy: ENDED_BY_PAGE_CHANGE,
        }),
      )
      return
    }
    // Restoring it later requires the whole language. The refusal is already shown as a notice.
    const language = await dispatch(fetchLanguage(row.id))
      .unwrap()
      .catch(() => null)
    if (!language) return
    done(dispatch(editLanguage({ language, method: 'Delete' })).unwrap(), () =>
      notifyDeleted(() => {
        const back = dispatch(editLanguage({ language, method: 'Add' }))
        done(back.unwrap(), () => undefined)
        return back
      }),
    )
  }
  const copyDefault = async (values: LanguageForm) => {
    const { id, langLocale } = langlist.find((one) => one.default) ?? { langLocale: 'en' }
    const [shipped, defaults] = await Promise.all([
      loadShippedTexts(langLocale),
      id ? dispatch(fetchLanguage(id)).unwrap() : null,
    ])
    const texts = { ...shipped, ...defaults?.keyValuePairs }
    return createLanguage({ ...values, id: '' }, texts, Date.now())
  }
  const save = async (values: LanguageForm, changes: Partial<LanguageForm>) => {
    if (!can('language_save')) throw domainError('demo_mode')
    const made = language ? null : await copyDefault(values)
    await dispatch(
      editLanguage.quiet(
        language
          ? { language: { id: language.id, ...changes }, method: 'Update' }
          : { language: { ...made, id: undefined }, method: 'Add' },
      ),
    ).unwrap()
    if (!language) listQuery.retry()
    notify('saved')
  }
  const columns: Column<LanguageSummary>[] = [
    { id: 'langName', title: t('language'), sortValue: (l) => l.langName, cell: (l) => l.langName },
    {
      id: 'langLocale',
      title: t('lang_locale'),
      sortValue: (l) => l.langLocale,
      cell: (l) => l.langLocale,
    },
    {
      id: 'dateLocale',
      title: t('date_locale'),
      sortValue: (l) => l.dateLocale,
      cell: (l) => l.dateLocale,
    },
    {
      id: 'default',
      title: t('default'),
      sortValue: (l) => (l.default ? 0 : 1),
      exportValue: (l) => t(l.default ? 'yes' : 'no'),
      cell: (l) => (l.default ? <StatusChip tone="success">{t('default')}</StatusChip> : null),
    },
  ]
  return (
    <ListPage
      id="languages"
      title={t('menu_languages')}
      query={listQuery}
      add={{ label: t('add_language'), onAdd: guarded('language_save', () => open('new')) }}
      empty={t('no_languages_available')}
      rows={langlist}
      columns={columns}
      toSearchText={(l) => `${l.langName} ${l.langLocale}`}
      linkTo={(l) => linkTo(l.id)}
      onOpen={(l) => open(l.id)}
      openedId={part ? null : edited}
      actions={(l) => (
        <span className={css.actions}>
          <Button size="small" onClick={() => open(`${l.id}~json`)}>
            {t('edit_json')}
          </Button>
          <Button
            size="small"
            disabled={l.default}
            onClick={guarded('language_default', () => makeDefault(l.id))}
          >
            {t('make_default')}
          </Button>
          <IconButton
            label={t('delete')}
            onClick={guarded('language_delete', () => void remove(l))}
          >
            <Icon name="trash" />
          </IconButton>
        </span>
      )}
      {...(can('table_export') && { exportAs: { name: 'languages' } })}
    >
      {language && part === 'json' ? (
        <JsonPanel key={language.id} language={language} onClose={() => close()} />
      ) : (
        (language || edited === 'new') && (
          <EditPanel<LanguageForm>
            key={edited}
            title={language?.langName ?? t('add_language')}
            schema={languageForm}
            initial={{
              langName: language?.langName ?? '',
              langLocale: language?.langLocale ?? '',
              dateLocale: language?.dateLocale ?? '',
            }}
            onSave={save}
            {...authors}
            onClose={() => close()}
          >
            {(field) => (
              <>
                {!language && <p className={pages.lead}>{t('new_language_lead')}</p>}
                <TextField label={t('lang_name')} {...field('langName')} />
                <TextField label={t('lang_locale')} hint="en, pt, ar" {...field('langLocale')} />
                <TextField label={t('date_locale')} hint="en-GB, pt-BR" {...field('dateLocale')} />
                {language && (
                  <Section title={t('audit_of_record')}>
                    <AuditTrail path={`languages/${language.id}`} />
                  </Section>
                )}
              </>
            )}
          </EditPanel>
        )
      )}
    </ListPage>
  )
}
