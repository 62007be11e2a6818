/** The specification's sentences, which both sides use. They are literal: tests compare them letter by letter. */
import { plans } from './plans.ts';

export interface Message {
  readonly title: string;
  readonly description: string;
}

const SVG_REQUIRES_ACCOUNT = 'Create an account to access professional SVG exports for production use.';

export const messages = {
  invalidEmail: 'Invalid email address',
  shortPassword: 'Password must be at least 6 characters',
  invalidCredentials: 'Invalid credentials',
  signupFailed: 'Failed to create account',
  notAnImage: { title: 'Invalid file type', description: 'Please upload an image file (PNG, JPG, etc.)' },
  uploadFailed: 'Upload failed',
  previewFailed: 'Failed to generate preview. Please try again.',
  productionRequiresAccount: { title: 'Production Export Requires Account', description: SVG_REQUIRES_ACCOUNT },
  customSvgRequiresAccount: { title: 'Custom SVG Export Requires Account', description: SVG_REQUIRES_ACCOUNT },
  pngRequiresAccount: {
    title: 'PNG Export Requires Account',
    description: 'Create an account to export high-quality PNG mockups.',
  },
  noDesignToExport: { title: 'No design to export', description: 'Please upload and vectorize a design first.' },
  productionFallback: { title: 'Production upgrade failed', description: 'Falling back to standard SVG export.' },
  customSvgFailed: { title: 'Export failed', description: 'Failed to generate custom SVG. Please try again.' },
  productRequired: {
    title: 'Product Selection Required',
    description: 'Choose a product in step 2 first, so your design has a size.',
  },
  uploaded: 'Upload successful',
  vectorized: 'Design vectorized',
  previewUpdated: 'Preview updated',
  backgroundRemoved: 'Background removed',
  backgroundForLaser:
    'Background must be removed on images meant for laser engraving, otherwise vectorization will ' +
    'not work as intended.',
  backgroundNotPlain:
    'This background is not plain, and this site cannot remove the background of a photograph. Use a picture on ' +
    'a plain background, or ask the site’s operator to set that up.',
  welcomeBack: 'Welcome back!',
  accountCreated: 'Account created!',
  emailRequired: { title: 'Email Required', description: 'Please enter your email address.' },
  passwordMismatch: {
    title: 'Password Mismatch',
    description: 'New password and confirmation password do not match.',
  },
  passwordTooShort: { title: 'Password Too Short', description: 'Password must be at least 6 characters long.' },
  commonPassword: 'This password is one of the most used ones. Please choose another.',
  contextPassword: 'This password is easy to guess here. Please choose another.',
  invalidResetLink: {
    title: 'Invalid Reset Link',
    description: 'Reset token is missing. Please use the link from your email.',
  },
  outdatedResetLink: 'This reset link has been used or is too old. Please ask for a new one.',
  outdatedVerifyLink: 'This link has been used or is too old. Your profile sends a new one.',
  networkStorageFull: 'The free space for your internet connection is full. Create an account to store more.',
  unverifiedStorageFull:
    'The free space for your internet connection is full. Verify your email address to get space of your own.',
  accountStorageFull: 'Your space for files is full. A larger plan has more.',
  largestStorageFull: 'Your space for files is full. Delete designs that you no longer need.',
  guestStorageFull: 'The space for guests is full just now. Create an account, or try again later.',
  siteStorageFull: 'The studio’s space for files is full just now. Nothing more can be saved until there is room.',
  requestFailed: 'Request Failed',
  resetFailed: 'Reset Failed',
  resetEmailSent: {
    title: 'Reset Email Sent',
    description: 'If an account with that email exists, a reset link is on its way. It is good for 30 minutes.',
  },
  passwordResetDone: 'Password Reset Successful',
  passwordUpdated: 'Password Updated',
  passwordUpdateFailed: 'Password Update Failed',
  outdatedInvitation: 'This invitation has been used, taken back, or is too old. Please ask for a new one.',
  roleDenied: 'Your role does not include this. An owner can change it.',
  outdatedSignIn: 'This sign-in took too long. Please start again with your password.',
  needsSecondFactor: 'Administrators need a second factor here. Set one up in your profile first.',
  wrongCurrentPassword: 'The current password is not right.',
  wrongCode: 'This code is not right, or it was used already.',
  codeNeeded: 'This account has a second factor. Enter a code of the app, or a recovery code.',
  checkoutFailed: 'Failed to start checkout process. Please try again.',
  paymentsNotSetUp: 'Payments are not set up on this site yet, so no plan can be bought here.',
  noCheckoutUrl: 'No checkout URL received',
  subscriptionError: 'Subscription Error',
  noSessionId: 'No session ID found',
  verifyFailed: 'Failed to verify subscription',
  noActiveSubscription: {
    title: 'No Active Subscription',
    description: 'No active subscription found in a card payment provider',
  },
  refreshFailed: { title: 'Refresh Failed', description: 'Failed to refresh subscription. Please try again.' },
  feedbackRequired: { title: 'Feedback Required', description: 'Please enter your feedback before submitting.' },
  feedbackSent: 'Feedback Sent!',
  waitlistJoined: {
    title: 'Welcome to the waitlist!',
    description:
      'A discount code for your first 3 months is on its way to you. Tell us what you make: your ' +
      'feedback decides what comes next.',
  },
  waitlistFailed: { title: 'Something went wrong', description: 'Please try again later.' },
  profileAccessDenied: { title: 'Access Denied', description: 'please log in' },
  adminAccessDenied: { title: 'Access Denied', description: 'This portal is restricted to admin users only.' },
  companyUnreadable: 'Unable to load company settings',
  companyNameRequired: 'Please give your company a name.',
  customProductsOff: 'Custom products are switched off. Switch them on in the settings of your company first.',
  productQuotaFull: 'Your company has 5,000 products, which is as many as it can keep. Delete some first.',
  productStorageFull: 'The 2 GB for your products are used up. Delete some first.',
  missingInformation: {
    title: 'Missing information',
    description: 'Please fill in all required fields and select a file.',
  },
  updateFailed: 'Update failed',
  deleteFailed: 'Delete failed',
  categoryCreateFailed: 'Failed to create category',
  categoryUpdateFailed: 'Failed to update category',
  categoryDeleteFailed: 'Failed to delete category',
  productCreateFailed: 'Failed to create product',
  productUpdateFailed: 'Failed to update product',
  productDeleteFailed: 'Failed to delete product',
  productsDeleteFailed: 'Failed to delete all products',
  bulkUploadFailed: 'Bulk upload failed',
  authenticationRequired: 'Authentication required',
  networkError: 'Network error',
  imageRequired: 'Please select an image file',
  vectorizerStatusFailed: 'Failed to fetch vectorizer status',
  vectorizerToggleFailed: 'Failed to toggle vectorizer mode',
  generatingProduction: 'Generating production SVG...',
  productionExported: 'Production SVG exported successfully!',
  standardExported: 'SVG exported successfully!',
  customSvgExported: 'Custom SVG exported successfully!',
  mockupExported: 'Mockup exported successfully!',
} as const satisfies Record<string, string | Message>;

export const noVectorExports = 'Your plan has no vector exports.';

/** Returns the notice for an account whose plan allows `limit` production exports a month, all of them used. */
export const vectorLimitReached = (limit: number): Message => ({
  title: 'Vector Export Limit Reached',
  description:
    limit === 0
      ? `${noVectorExports} ${smallestWithVectors.name}, the smallest plan with some, has ${smallestWithVectors.vectors} a month.`
      : `You've used all ${limit} vector exports this month. ${moreThan('vectors', limit)}`,
});

/** Returns the sentence for an account whose plan allows `limit` image mockups a month, all of them used. */
export const mockupLimitReached = (limit: number): string =>
  `You've used all ${limit} image mockups this month. ${moreThan('mockups', limit)}`;

const smallestWithVectors = Object.values(plans).find(({ vectors }) => vectors > 0) ?? plans.starter;

/** Returns how to get more than `limit` a month: by a larger plan, or on the largest one by waiting. */
const moreThan = (counter: 'vectors' | 'mockups', limit: number): string =>
  Object.values(plans).some((plan) => plan[counter] > limit)
    ? 'Upgrade to export more.'
    : 'Yours is the largest plan: the count starts again with your next month.';

export const guestUsage = (usedMockups: number): string => `You've used ${usedMockups} of your free mockups.`;

export const feedbackFailed = (email: string): string => `Please try again later or contact us directly at ${email}`;

export const subscriptionRefreshed = (planName: string): Message => ({
  title: 'Subscription Refreshed',
  description: `Your ${planName} subscription is now active. Credits updated.`,
});

/**
 * Returns the summary of a bulk upload: `12 products uploaded successfully across 2 categories: Mugs, Trays, 1 failed`.
 */
export function bulkSummary(uploadedCount: number, categories: readonly string[], failedCount: number): string {
  const products = `${uploadedCount} ${uploadedCount === 1 ? 'product' : 'products'} uploaded successfully`;
  const places = `across ${categories.length} ${categories.length === 1 ? 'category' : 'categories'}`;
  const list = categories.length > 0 ? ` ${places}: ${categories.join(', ')}` : '';
  return `${products}${list}${failedCount > 0 ? `, ${failedCount} failed` : ''}`;
}
