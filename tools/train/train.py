"""Trains the everyday planner's network.

    python train.py NUMBERS VECTORS OUT [epochs] [hidden] [seed] [start]

NUMBERS is what export.ts wrote, VECTORS the file of vectors.py without its ending, OUT the file of weights. START is a file of
earlier weights, which are trained on at a third of the rate: a few epochs teach new cases and keep what was learnt.
The network reads a request with two layers of recurrent units from both ends, and writes actions with two more that look
back at it; a pointer is an action whose number is the token that it points at.
"""
import json
import math
import os
import random
import struct
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

numbers, vector_file, out = sys.argv[1:4]
EPOCHS, HIDDEN, SEED = (int(value) for value in (sys.argv[4:7] + ["24", "80", "1"][len(sys.argv) - 4 :]))
START = sys.argv[7] if len(sys.argv) > 7 else None
EMBEDDING, DROPOUT, RATE, BATCH = 80, 0.25, 1e-3 if START else 3e-3, 64
UNKNOWN, POINTER = 1, 1

torch.manual_seed(SEED)
random.seed(SEED)
np.random.seed(SEED)
torch.set_num_threads(int(os.environ.get("THREADS", "2")))
data = json.load(open(numbers))
sizes = data["sizes"]
vectors = np.load(vector_file + ".npy").astype(np.float32) / 127
vectors = torch.tensor(np.concatenate([np.zeros((1, vectors.shape[1]), np.float32), vectors]))


class Planner(nn.Module):
    def __init__(self):
        super().__init__()
        state = 2 * HIDDEN
        self.word = nn.Embedding(len(data["words"]), EMBEDDING, padding_idx=0)
        self.kind = nn.Embedding(sizes["kinds"], EMBEDDING)
        self.cap = nn.Embedding(3, EMBEDDING)
        self.names = nn.Embedding(sizes["names"], EMBEDDING)
        self.sec = nn.Embedding(sizes["sections"], EMBEDDING)
        self.gram = nn.EmbeddingBag(sizes["letters"], EMBEDDING, mode="mean")
        self.pre = nn.Linear(vectors.shape[1], EMBEDDING, bias=False)
        self.e1 = nn.GRU(EMBEDDING, HIDDEN, batch_first=True, bidirectional=True)
        self.e2 = nn.GRU(state, HIDDEN, batch_first=True, bidirectional=True)
        self.act = nn.Embedding(len(data["actions"]), EMBEDDING)
        self.ptr = nn.Linear(state, EMBEDDING)
        self.init = nn.Linear(state, state)
        self.d1 = nn.GRU(EMBEDDING, state, batch_first=True)
        self.a1 = nn.Linear(state, state, bias=False)
        self.d2 = nn.GRU(2 * state, state, batch_first=True)
        self.a2 = nn.Linear(state, state, bias=False)
        self.ap = nn.Linear(state, state, bias=False)
        self.mix = nn.Linear(2 * state, state)
        self.out = nn.Linear(state, len(data["actions"]))
        self.drop = nn.Dropout(DROPOUT)
        for table in (self.word, self.kind, self.cap, self.act, self.names, self.sec, self.gram):
            nn.init.normal_(table.weight, 0, 0.3)

    def forward(self, tokens, letters, offsets, lengths, actions):
        words, kinds, capitals, names, sections, near = tokens
        count, width = words.shape
        seen = self.word(words) + self.kind(kinds) + self.cap(capitals) + self.names(names) + self.sec(sections)
        seen = self.drop(seen + self.pre(vectors[near]) + self.gram(letters, offsets).view(count, width, EMBEDDING))

        def both_ways(unit, line):
            packed = pack_padded_sequence(line, lengths, batch_first=True, enforce_sorted=False)
            return pad_packed_sequence(unit(packed)[0], batch_first=True, total_length=width)[0]

        lower = both_ways(self.e1, seen)
        states = lower + both_ways(self.e2, self.drop(lower))
        padding = torch.arange(width)[None] >= lengths[:, None]
        mean = (states * (~padding)[..., None]).sum(1) / lengths[:, None]
        first = torch.tanh(self.init(mean))[None]
        last = torch.cat([torch.zeros(count, 1, dtype=torch.long), actions[:, :-1]], 1)
        place = (-1 - last).clamp(min=0)[..., None].expand(-1, -1, EMBEDDING)
        pointed = self.ptr(states).gather(1, place) + self.act.weight[POINTER]
        written = torch.where((last < 0)[..., None], pointed, self.act(last.clamp(min=0)))
        states = self.drop(states)

        def attend(query, look):
            likeness = (look(query) @ states.transpose(1, 2) / math.sqrt(2 * HIDDEN)).masked_fill(padding[:, None], -1e9)
            return likeness.softmax(-1) @ states

        one, _ = self.d1(self.drop(written), first)
        two, _ = self.d2(self.drop(torch.cat([one, attend(one, self.a1)], -1)), first)
        query = two + one
        thought = self.drop(torch.tanh(self.mix(torch.cat([query, attend(query, self.a2)], -1))))
        pointers = self.ap(thought) @ states.transpose(1, 2) / math.sqrt(2 * HIDDEN) * 4
        return torch.cat([self.out(thought), pointers.masked_fill(padding[:, None], -1e9)], -1)


def batch(rows):
    """Examples side by side. Half of the words that are pointed at are hidden: names are learnt by their place."""
    count, width, length = len(rows), max(len(row[0]) for row in rows), max(len(row[4]) for row in rows)
    table = lambda: np.zeros((count, width), dtype=np.int64)
    words, kinds, capitals, names, sections, near = (table() for _ in range(6))
    kinds += 1
    actions = np.zeros((count, length), dtype=np.int64)
    letters, offsets = [], []
    for at, row in enumerate(rows):
        size = len(row[0])
        words[at, :size], kinds[at, :size], capitals[at, :size] = row[0], row[1], row[2]
        names[at, :size], sections[at, :size], near[at, :size] = row[5], row[6], row[7]
        actions[at, : len(row[4])] = row[4]
        pointed = {-1 - action for action in row[4] if action < 0}
        for place in range(width):
            offsets.append(len(letters))
            if place >= size:
                continue
            runs = row[3][place]
            if words[at, place] > 2 and row[6][place] != 2:
                if place in pointed and row[1][place] == 0 and random.random() < 0.5:
                    words[at, place] = UNKNOWN
                    near[at, place] = random.randrange(1, len(vectors)) if random.random() < 0.5 else 0
                    runs = [random.randrange(sizes["letters"]) for _ in range(random.randint(4, 12))]
                elif random.random() < 0.12:
                    words[at, place] = UNKNOWN
                elif random.random() < 0.06:
                    runs = []
                elif random.random() < 0.06:
                    near[at, place] = 0
            letters.extend(runs)
    tokens = tuple(torch.from_numpy(one) for one in (words, kinds, capitals, names, sections, near))
    lengths = torch.tensor([len(row[0]) for row in rows])
    return tokens, torch.tensor(letters, dtype=torch.long), torch.tensor(offsets), lengths, torch.from_numpy(actions)


def in_batches(rows):
    """Of about one length each, in any order."""
    random.shuffle(rows)
    parts = [sorted(rows[at : at + 10 * BATCH], key=lambda row: len(row[0])) for at in range(0, len(rows), 10 * BATCH)]
    batches = [part[at : at + BATCH] for part in parts for at in range(0, len(part), BATCH)]
    random.shuffle(batches)
    return batches


def save(network):
    """The header's length in 4 bytes, the header, and each matrix as rows of 8-bit numbers with a scale for each row."""
    arrays, body = [], b""
    for name, values in [*network.state_dict().items(), ("vec", vectors)]:
        matrix = values.detach().numpy().astype(np.float32).reshape(values.shape[0] if values.ndim > 1 else 1, -1)
        scales = (np.abs(matrix).max(1) / 127 + 1e-12).astype("<f4")
        body += np.clip(np.round(matrix / scales[:, None]), -127, 127).astype(np.int8).tobytes() + scales.tobytes()
        arrays.append({"name": name, "rows": matrix.shape[0], "columns": matrix.shape[1]})
    header = {
        **{"version": 1, "cases": data["cases"], "words": data["words"], "plain": data["plain"]},
        **{"vectors": data["vectors"], "actions": data["actions"], "size": {"embedding": EMBEDDING, "hidden": HIDDEN}, "arrays": arrays},
    }
    text = json.dumps(header, ensure_ascii=False).encode()
    with open(out, "wb") as file:
        file.write(struct.pack("<I", len(text)) + text + body)


def load(network, path):
    """Earlier weights; words and actions that are new keep their random ones."""
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<I", file.read(4))[0]))
        body = file.read()
    state, at = network.state_dict(), 0
    for array in header["arrays"]:
        rows, columns = array["rows"], array["columns"]
        matrix = np.frombuffer(body, np.int8, rows * columns, at).reshape(rows, columns).astype(np.float32)
        matrix = matrix * np.frombuffer(body, "<f4", rows, at + rows * columns)[:, None]
        at += rows * columns + 4 * rows
        name = array["name"]
        if name not in state:
            continue
        own = state[name]
        values = torch.tensor(matrix if own.ndim > 1 else matrix[0])
        listed = {"word.weight": "words", "act.weight": "actions", "out.weight": "actions", "out.bias": "actions"}.get(name)
        if listed is None:
            own.copy_(values)
            continue
        old = {one: place for place, one in enumerate(header[listed])}
        for place, one in enumerate(data[listed]):
            if one in old:
                own[place] = values[old[one]]


network = Planner()
if START:
    load(network, START)
sets = data["sets"]
steps = EPOCHS * (sum(len(rows) for rows in sets) // len(sets) // BATCH + 1)
optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=0.02)
warm = lambda step: min(1, (step + 1) / (0.1 * steps))
cool = lambda step: 0.5 * (1 + math.cos(math.pi * min(1, max(0, step / steps - 0.1) / 0.9))) + 1e-3
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: warm(step) * cool(step))
print(sum(values.numel() for values in network.parameters()), "weights", flush=True)
began = time.time()
for epoch in range(EPOCHS):
    total = 0.0
    batches = in_batches(list(sets[epoch % len(sets)]))
    for rows in batches:
        *inputs, actions = batch(rows)
        scores = network(*inputs, actions)
        wanted = torch.where(actions < 0, len(data["actions"]) - 1 - actions, actions)
        loss = F.cross_entropy(scores.flatten(0, 1), wanted.flatten(), ignore_index=0)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        total += loss.item()
    print(f"epoch {epoch + 1}: loss {total / len(batches):.4f}, {time.time() - began:.0f} s", flush=True)
    if epoch % 5 == 4:
        save(network)
save(network)
