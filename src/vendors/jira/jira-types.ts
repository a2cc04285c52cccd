import type * as Cloud from 'jira.js/cloud';
import type * as ServiceDesk from 'jira.js/serviceDesk';

/**
 * The jira.js functions the bot calls. The library's entry points load a schema for every possible answer: 1,500 files,
 * half a second of every start and 60 MB. So we load only the few files we need.
 */
const cloud = import.meta.resolve('jira.js/cloud');
const serviceDesk = import.meta.resolve('jira.js/serviceDesk');
const at = (entry: string, file: string): string => new URL(`api/${file}.js`, entry).href;

const issues: Pick<
  typeof Cloud,
  | 'createIssue'
  | 'doTransition'
  | 'getCreateIssueMetaIssueTypeId'
  | 'getCreateIssueMetaIssueTypes'
  | 'getIssue'
  | 'getTransitions'
> = await import(at(cloud, 'issues'));
const comments: Pick<typeof Cloud, 'addComment' | 'getComments' | 'getCommentsByIds'> = await import(
  at(cloud, 'issueComments')
);
const links: Pick<typeof Cloud, 'linkIssues'> = await import(at(cloud, 'issueLinks'));
const search: Pick<typeof Cloud, 'countIssues' | 'searchAndReconsileIssuesUsingJqlPost'> = await import(
  at(cloud, 'issueSearch')
);
const users: Pick<typeof Cloud, 'findUsers'> = await import(at(cloud, 'userSearch'));
const requests: Pick<typeof ServiceDesk, 'getSlaInformation'> = await import(at(serviceDesk, 'request'));

export const {
  createIssue,
  doTransition,
  getCreateIssueMetaIssueTypeId,
  getCreateIssueMetaIssueTypes,
  getIssue,
  getTransitions,
} = issues;
export const { addComment, getComments, getCommentsByIds } = comments;
export const { linkIssues } = links;
export const { countIssues, searchAndReconsileIssuesUsingJqlPost } = search;
export const { findUsers } = users;
export const { getSlaInformation } = requests;
